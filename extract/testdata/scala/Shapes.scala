package shapes

import math.Pi

enum Color(val rgb: Int) derives CanEqual:
  case Red extends Color(0xff0000)
  case Green, Blue
  case Mixed(parts: List[Color])

  def hex: String = rgb.toHexString

given intOrd: Ordering[Int] with
  def compare(a: Int, b: Int): Int = a - b

extension (c: Circle)
  def area: Double = c.radius * c.radius * Pi

opaque type Meters = Double

class Circle(val radius: Double):
  def scale(by: Double): Circle =
    Circle(radius * by)

def run(shapes: Circle*): Unit =
  shapes.foreach(println)

val unit = Circle(1)
