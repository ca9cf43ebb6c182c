/** A cache of at most `size` values. When it is full, it evicts the value that was added first. */
export class BoundedCache<K, V extends object | string> {
  readonly #size: number
  readonly #values = new Map<K, V>()

  constructor(size: number) {
    this.#size = size
  }

  /** Returns the cached value; undefined: there is none. */
  find(key: K): V | undefined {
    return this.#values.get(key)
  }

  /** Caches a value, and returns it. */
  set(key: K, value: V): V {
    if (this.#values.size >= this.#size) this.#values.delete(this.#values.keys().next().value as K)
    this.#values.set(key, value)
    return value
  }

  /** Returns the cached value, or makes it with `make` and caches it. */
  get(key: K, make: () => V): V {
    return this.find(key) ?? this.set(key, make())
  }
}

/** One bounded cache per owner. It is garbage-collected together with its owner. */
export class BoundedCaches<O extends WeakKey, K, V extends object | string> {
  readonly #size: number
  readonly #owned = new WeakMap<O, BoundedCache<K, V>>()

  constructor(size: number) {
    this.#size = size
  }

  /** Returns the cache of this owner, which is created on first use. */
  of(owner: O): BoundedCache<K, V> {
    const kept = this.#owned.get(owner) ?? new BoundedCache<K, V>(this.#size)
    this.#owned.set(owner, kept)
    return kept
  }
}
