using System;
using System.Collections.Generic;
using static System.Math;
using Json = System.Text.Json;

namespace Warehouse.Stock
{
    /// <summary>Tells who must know about a change.</summary>
    public delegate void StockChanged(string sku, int delta);

    public enum Level
    {
        Low,
        High = 10,
    }

    /// <summary>
    /// What can count items.
    /// </summary>
    public interface ICounter<T> : IDisposable where T : class
    {
        int Count { get; }
        T Find(string sku);
    }

    [Serializable]
    public abstract class Store : MarshalByRefObject, ICounter<Item>
    {
        public const int MaxItems = 500;
        private static readonly object Gate = new object();
        protected int _count, _missing;

        public event StockChanged Changed;

        public event EventHandler Closed
        {
            add { _closed += value; }
            remove { _closed -= value; }
        }

        /// <summary>Opens a store.</summary>
        protected Store(string name) : base()
        {
            Name = name;
        }

        ~Store() => Dispose();

        public string Name { get; private set; }

        public int Count => _count;

        public Item this[string sku] => Find(sku);

        // Finds an item.
        [Obsolete("use TryFind")]
        public virtual Item Find(string sku)
        {
            lock (Gate)
            {
                return Lookup<Item>(sku) ?? throw new KeyNotFoundException(sku);
            }
        }

        void IDisposable.Dispose() { }

        internal static async Task<T> Lookup<T>(string sku) where T : class
        {
            int Local(int x) => x + 1;
            var found = await Json.JsonSerializer.DeserializeAsync<T>(Open(sku));
            Changed?.Invoke(sku, Local(1));
            return found;
        }

        public static Store operator +(Store a, Item b) => a.With(b);

        public static implicit operator int(Store s) => s.Count;

        private struct Slot
        {
            public int Row;
            public Slot(int row) { Row = row; }
        }
    }

    public record Item(string Sku, int Amount) : Entity(Sku)
    {
        public bool IsEmpty => Amount == 0;
    }

    public readonly record struct Money(decimal Value);

    namespace Nested
    {
        internal static class Extensions
        {
            public static int Total(this IEnumerable<Item> items)
            {
                var sum = 0;
                foreach (var item in items) sum += item.Amount;
                return sum;
            }
        }
    }
}
