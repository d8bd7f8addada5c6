use std::{io, fmt};
use a::b::*;
/// Doc
#[derive(Debug)]
pub struct P<T> { pub x: T, y: i32 }
pub(crate) enum E { A, B(u8) }
impl<T> P<T> { pub fn new() -> Self { Self::go(1) } fn go(&self) {} }
impl<T: X> fmt::Display for P<T> { fn fmt(&self) -> R { write!(f, "") } }
pub trait Tr: Sup { const K: u8; type I; fn req(&self); fn def(&self) {} }
mod m { pub const C: u8 = 1; static S: u8 = 2; }
macro_rules! mac { () => {} }
async unsafe fn z<'a>() where T: X { fn inner() {} }
type Al = u8;
