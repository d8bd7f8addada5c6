defmodule Shop.Cart do
  @moduledoc """
  A cart and the rules for what may lie in it.
  """

  alias Shop.{Item, Price}
  alias Shop.Repo, as: Store
  import Enum, only: [sum: 1]
  require Logger
  use GenServer

  @behaviour Shop.Basket
  @max_items 50
  @type t :: %__MODULE__{items: [Item.t()], owner: String.t() | nil}
  @typep key :: atom()
  @callback total(t()) :: integer()

  defstruct items: [], owner: nil

  @doc """
  Starts a cart for an owner.
  """
  @spec start_link(keyword()) :: GenServer.on_start()
  def start_link(opts) do
    GenServer.start_link(__MODULE__, opts, name: __MODULE__)
  end

  @doc "Adds an item."
  def add(%__MODULE__{} = cart, item) when is_map(item) do
    if full?(cart), do: {:error, :full}, else: {:ok, put(cart, item)}
  end

  def add(nil, item), do: add(%__MODULE__{}, item)

  # Whether nothing more fits.
  defp full?(cart), do: length(cart.items) >= @max_items

  defp put(cart, item) do
    Logger.debug("put #{item.name}")
    %{cart | items: [item | cart.items]}
  end

  def total(cart) do
    cart.items
    |> Enum.map(&Price.of/1)
    |> sum()
  end

  def empty, do: %__MODULE__{}

  @doc false
  defmacro with_cart(name, do: block) do
    quote do
      unquote(name) = Shop.Cart.empty()
      unquote(block)
    end
  end

  defguard is_positive(n) when is_integer(n) and n > 0

  defdelegate size(cart), to: Shop.Sizes

  defmodule Error do
    defexception [:message]
  end

  @impl true
  def init(opts), do: {:ok, opts}
end

defprotocol Shop.Printable do
  @doc "Renders the value."
  def render(value)
end

defimpl Shop.Printable, for: Shop.Cart do
  def render(cart), do: inspect(cart)
end
