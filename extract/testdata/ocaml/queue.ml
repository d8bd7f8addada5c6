open Printf
open Core.Std

(** How a queue may fail. *)
exception Empty of string

exception Full

(** The colour of a node. *)
type color = Red | Black

type 'a node = {
  value : 'a;
  mutable next : 'a node option;
}
and 'a t = { mutable head : 'a node option; mutable size : int }

let max_size = 1024
let _ignored = 3

external now : unit -> float = "caml_now"

(** [create ()] is an empty queue. *)
let create () = { head = None; size = 0 }

let rec push q v =
  let node = { value = v; next = q.head } in
  if q.size >= max_size then raise Full;
  q.head <- Some node;
  q.size <- q.size + 1

and push_all q = List.iter (push q)

let ( >>= ) q f = List.concat_map f (to_list q)

let a, b = (1, 2)

module type ORDERED = sig
  type t
  val compare : t -> t -> int
end

module Make (O : ORDERED) : sig
  val sort : O.t list -> O.t list
end = struct
  let sort l = List.sort O.compare l
  module Inner = struct
    let depth = 1
  end
end

module IntQueue = Make (Int)

include Container.Make (IntQueue)

class counter start = object (self)
  inherit base as super
  val mutable count = start
  method incr = count <- count + 1
  method private get = self#incr; count
end

class type readable = object
  method read : string
end

let%test "empty" = is_empty (create ())

let () =
  printf "%d\n" (create ()).size
