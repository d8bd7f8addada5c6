local store = require("lib.store")
local Box = setmetatable({}, { __index = store.Base })
Box.__index = Box

function Box.new(size)
  local self = setmetatable({}, Box)
  self:grow(size):again()
  return self
end

local function make(list)
  for _, item in ipairs(list) do
    item.show(store, list)
  end
  return Box.new(1)
end

return { make = make }
