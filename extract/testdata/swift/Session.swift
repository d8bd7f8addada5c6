import Foundation
@testable import class UIKit.UIView

/// The default time before a request is given up, in seconds.
let defaultTimeout: TimeInterval = 30
private var counter = 0

public typealias Completion<T> = (Result<T, Error>) -> Void

/// What can adapt a request.
public protocol RequestAdapter: AnyObject {
    associatedtype Output
    var name: String { get }
    func adapt(_ request: URLRequest) throws -> Output
    init(name: String)
}

/// A session with its queue.
@available(iOS 13, *)
open class Session: NSObject, RequestAdapter {
    public static let shared = Session(name: "shared")
    public let name: String
    private(set) var tasks: [Int: Task] = [:]
    lazy var queue = DispatchQueue(label: "session")

    var isIdle: Bool {
        tasks.isEmpty
    }

    var limit: Int = 4 {
        didSet { trim() }
    }

    /// Makes a session.
    public required init(name: String) {
        self.name = name
        super.init()
    }

    convenience override init() {
        self.init(name: "anonymous")
    }

    deinit {
        cancelAll()
    }

    /// Adapts a request.
    ///
    /// - Parameter request: the request to change.
    @discardableResult
    open func adapt(_ request: URLRequest) throws -> URLRequest {
        var copy = request
        copy.timeoutInterval = defaultTimeout
        return copy
    }

    fileprivate func trim() {}

    class func make<T: Decodable>(_ type: T.Type) async -> T? { nil }

    subscript(index: Int) -> Task? {
        return tasks[index]
    }

    struct Options: OptionSet, Sendable {
        let rawValue: Int
        static let verbose = Options(rawValue: 1 << 0)
    }

    enum State: String, CaseIterable {
        case idle
        case running, failed = "broken"
        indirect case waiting(for: Int)

        var label: String { rawValue.uppercased() }
    }
}

extension Session: CustomStringConvertible {
    public var description: String { "Session(\(name))" }

    func cancelAll() {
        tasks.values.forEach { $0.cancel() }
    }
}

extension Array where Element == Int {
    func total() -> Int { reduce(0, +) }
}

actor Counter {
    var value = 0
    func increment() { value += 1 }
}

func retry<T>(times: Int, _ body: () throws -> T) rethrows -> T {
    func once() throws -> T { try body() }
    return try once()
}

infix operator <~>: AdditionPrecedence
func <~> (lhs: Int, rhs: Int) -> Int { lhs ^ rhs }
