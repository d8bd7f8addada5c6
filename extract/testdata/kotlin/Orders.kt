@file:JvmName("Orders")

package com.example.orders

import java.time.Instant
import kotlinx.coroutines.flow.*
import com.example.money.Amount as Money

/** The most lines that one order may have. */
const val MAX_LINES = 100

private val log = Logger.of("orders")

typealias Lines = List<OrderLine>

/**
 * What can be stored.
 */
interface Store<T : Any> {
    val size: Int
    suspend fun load(id: String): T?
    fun save(value: T)
}

interface Clock {
    fun now(): Instant
}

enum class State(val label: String) {
    OPEN("open"),
    PAID("paid") {
        override fun closed() = true
    };

    open fun closed(): Boolean = false
}

data class OrderLine(val sku: String, var count: Int = 1)

sealed class Event {
    abstract val at: Instant

    data class Placed(override val at: Instant, val by: String) : Event()
    object Cancelled : Event() {
        override val at: Instant = Instant.EPOCH
    }
}

/** Keeps orders in memory. */
@Suppress("unused")
internal class OrderStore(
    private val clock: Clock,
    val name: String,
) : AbstractStore<Order>(name), Store<Order>, Closeable {
    private val orders = mutableMapOf<String, Order>()

    override val size: Int
        get() = orders.size

    lateinit var owner: String
        protected set

    init {
        log.info("open")
    }

    constructor(name: String) : this(SystemClock, name)

    // Loads one order.
    @Throws(IOException::class)
    override suspend fun load(id: String): Order? = orders[id]

    override fun save(value: Order) {
        orders[value.id] = value
        notifyAll(value)
    }

    protected open fun notifyAll(order: Order) = Unit

    companion object {
        const val VERSION = 3

        @JvmStatic
        fun create(): OrderStore = OrderStore("default")
    }

    companion object Named {
        fun other() = 1
    }

    inner class Cursor {
        fun next(): Order? = null
    }
}

object Registry : Store<Order> {
    override fun save(value: Order) = TODO()
}

annotation class Audited(val level: Int)

/** Sums the counts. */
fun Lines.total(): Int = sumOf { it.count }

fun <T> List<T>.second(): T = this[1]

val String.isSku: Boolean
    get() = startsWith("sku-")

inline fun <reified T> decode(text: String): T {
    fun inner(x: Int) = x + 1
    val local = inner(2)
    return Json.decodeFromString(text)
}
