interface ProgressBarProps {
  done: number
  all: number
  /** What it says, for ears. */
  label: string
}

/** How much of a course is done. */
export const ProgressBar = ({ done, all, label }: ProgressBarProps) => (
  <progress className="course-progress" value={done} max={Math.max(all, 1)} aria-label={label} />
)
