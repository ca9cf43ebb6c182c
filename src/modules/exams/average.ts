/** What a student scored in an exam. */
interface Scored {
  /** null: nothing, or the student was absent. */
  score: number | null
  maxScore: number
  weight: number
}

/**
 * The weighted mean of what was scored, in percent of maxScore, to one decimal. Exams that the student missed and exams of no
 * points or no weight do not count; null when none counts.
 */
export const averageOf = (exams: readonly Scored[]): number | null => {
  let sum = 0
  let weights = 0
  for (const { score, maxScore, weight } of exams) {
    if (score === null || maxScore === 0) continue
    sum += (weight * score) / maxScore
    weights += weight
  }
  return weights === 0 ? null : Math.round((1000 * sum) / weights) / 10
}
