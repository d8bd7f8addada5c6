package com.example
package catalog

import scala.collection.mutable.{ArrayBuffer, Map => MutableMap}
import cats.syntax.all._

/** A thing that can be priced. */
trait Priced[A] extends Serializable {
  type Currency
  def price(a: A): BigDecimal
  def label: String = "priced"
  protected val scale: Int
}

sealed abstract class Item(val sku: String) extends Base(sku) with Priced[Item] with Named {
  private[this] var views: Int = 0
  lazy val slug: String = sku.toLowerCase
  val (left, right) = split(sku)

  // Counts one view.
  @inline
  final def touch(): Unit = {
    val next = views + 1
    views = next
  }

  override def toString: String = s"Item($sku)"
}

/**
 * A book.
 */
final case class Book(title: String, pages: Int = 0) extends Item(title)

case object Missing extends Item("none")

object Item {
  val Limit = 100
  type Id = String

  /** Parses an item. */
  def parse(text: String): Either[Error, Item] =
    text.split(",").toList match {
      case t :: Nil => Right(Book(t))
      case _        => Left(new ParseError(text))
    }

  implicit val ordering: Ordering[Item] = Ordering.by(_.sku)

  implicit class RichItem(private val item: Item) extends AnyVal {
    def shout: String = item.sku.toUpperCase
  }

  object Codec {
    def apply[A](f: String => A): Codec[A] = new Codec[A](f)
    def +(other: Int): Int = other
  }
}

package object syntax {
  def all: List[Item] = Nil
}
