import type { UseQueryResult } from '@tanstack/react-query'
import { Back } from '../../parts/back.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { FeatureOff } from '../../records/feature/off.tsx'
import { isOff } from '../../records/feature/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** A page of video courses while there is nothing to show yet, or where the institute has none. */
export const Instead = ({ query }: { query: UseQueryResult }) => {
  const { curriculum: words } = useWords()
  return (
    <Page title={words.title}>
      {isOff(query) ? (
        <FeatureOff feature="courses_video" icon="play" words={words} />
      ) : (
        <Loaded query={query}>{() => null}</Loaded>
      )}
    </Page>
  )
}

/** The way up to a course, for those who see courses. */
export const BackToCourse = ({ courseId, children }: { courseId: string; children: string }) => {
  const { can } = useMe()
  return can('courses.read') && <Back to={`/courses/${courseId}`} label={children} />
}

/** Whether the caller changes what a course is made of: it belongs to no branch. */
export const useMayTeach = (): boolean => {
  const { canEverywhere, institute } = useMe()
  return canEverywhere('curriculum.write') && !institute.isReadOnly
}
