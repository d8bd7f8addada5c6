(** Queues. *)

type 'a t

exception Full

(** [create ()] is an empty queue. *)
val create : unit -> 'a t

val push : 'a t -> 'a -> unit

module type S = sig
  val sort : int list -> int list
end

module Make (O : S) : S
