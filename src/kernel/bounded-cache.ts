/** Values that were made for a key, for whoever asks again; when there are `size` of them, the oldest is evicted. */
export class BoundedCache<K, V extends object | string> {
  readonly #size: number
  readonly #values = new Map<K, V>()

  constructor(size: number) {
    this.#size = size
  }

  find(key: K): V | undefined {
    return this.#values.get(key)
  }

  set(key: K, value: V): V {
    if (this.#values.size >= this.#size) this.#values.delete(this.#values.keys().next().value as K)
    this.#values.set(key, value)
    return value
  }

  /** What is kept, or what `make` makes of it. */
  get(key: K, make: () => V): V {
    return this.find(key) ?? this.set(key, make())
  }
}

/** A bounded cache for each owner, which is collected with it. */
export class BoundedCaches<O extends WeakKey, K, V extends object | string> {
  readonly #size: number
  readonly #owned = new WeakMap<O, BoundedCache<K, V>>()

  constructor(size: number) {
    this.#size = size
  }

  of(owner: O): BoundedCache<K, V> {
    const kept = this.#owned.get(owner) ?? new BoundedCache<K, V>(this.#size)
    this.#owned.set(owner, kept)
    return kept
  }
}
