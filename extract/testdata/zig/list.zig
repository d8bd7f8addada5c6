const std = @import("std");

/// A list of numbers.
pub const List = struct {
    items: []u32,
    const Self = @This();

    /// Makes a list.
    pub fn init(allocator: std.mem.Allocator) !Self {
        const local = 1;
        _ = local;
        return Self{ .items = &.{} };
    }

    fn grow(self: *Self) void {
        _ = self;
    }
};

pub const Color = enum { red, green };
const Failure = error{ OutOfRange };
pub const limit: u32 = 10;
var counter: u32 = 0;

pub fn main() !void {
    var list = try List.init(std.heap.page_allocator);
    list.grow();
}

export fn c_entry(x: c_int) callconv(.C) c_int {
    return x;
}

test "list grows" {
    try std.testing.expect(true);
}
