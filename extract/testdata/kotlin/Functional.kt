package com.example.time

/** Tells the time. */
fun interface Clock {
    fun now(): Long
}

class Fixed(private val at: Long) : Clock {
    override fun now() = at
}
