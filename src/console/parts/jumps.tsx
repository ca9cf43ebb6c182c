interface JumpsProps {
  label: string
  /** The ids of the places, and what they are called. */
  places: readonly (readonly [id: string, name: string])[]
}

/** On a phone, where the parts of a page stand below one another: the way past a long one. A desk shows them side by side. */
export const Jumps = ({ label, places }: JumpsProps) => (
  <nav className="jumps not-printed" aria-label={label}>
    {places.map(([id, name]) => (
      <button
        key={id}
        type="button"
        onClick={() => {
          const place = document.getElementById(id)
          place?.scrollIntoView()
          place?.focus({ preventScroll: true })
        }}
      >
        {name}
      </button>
    ))}
  </nav>
)

/** What the element has that one jumps to. */
export const jumpedTo = (id: string) => ({ id, tabIndex: -1, 'data-jumped': true })
