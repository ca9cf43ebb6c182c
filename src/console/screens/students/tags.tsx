/** The tags of a student, each as it is. */
export const TagLinks = ({ tags }: { tags: readonly string[] }) => (
  <span className="chips">
    {tags.map((tag) => (
      <span key={tag} className="badge">
        <bdi>{tag}</bdi>
      </span>
    ))}
  </span>
)
