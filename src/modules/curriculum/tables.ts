import type { Currency } from '#kernel/values/money.ts'
import type { Defaulted, Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { VideoProvider } from './video.ts'

export const LESSON_KINDS = ['video', 'text'] as const

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    section: {
      id: Fixed<string>
      tenant_id: TenantId
      course_id: Fixed<string>
      title: string
      /** Counts from 0 within the course, without gaps. */
      sort_order: number
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
    lesson: {
      id: Fixed<string>
      tenant_id: TenantId
      /** The course of its section, which never changes: a lesson moves within its course only. */
      course_id: Fixed<string>
      section_id: string
      title: string
      description: string | null
      kind: (typeof LESSON_KINDS)[number]
      body: string | null
      duration_sec: number | null
      /** Counts from 0 within the section, without gaps. */
      sort_order: number
      is_preview: boolean
      published_at: string | null
      /** The video: see VideoRef, whose videoId is the key. All three are null for a lesson without one. */
      video_provider: VideoProvider | null
      video_key: string | null
      video_hash: string | null
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
    /** A student’s access to a course. Each student has one at most for each course; it is dropped, never deleted. */
    course_enrollment: {
      id: Fixed<string>
      tenant_id: TenantId
      course_id: Fixed<string>
      student_id: Fixed<string>
      status: 'active' | 'completed' | 'dropped'
      granted_at: string
      /** When it was completed or dropped. */
      ended_at: string | null
      drop_reason: string | null
      /** When the course was completed for the first time, whatever became of the grant since. */
      completed_at: string | null
      price_minor: number | null
      currency: Currency | null
      granted_by_user_id: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    lesson_completion: {
      tenant_id: TenantId
      course_enrollment_id: Fixed<string>
      lesson_id: Fixed<string>
      completed_at: Fixed<string>
    }
  }
}

const byStudent = { column: 'student_id', of: 'student' }
const byEnrollment = { column: 'course_enrollment_id', of: 'course_enrollment' }

export const curriculumTables: TableRules = {
  // They follow their course, which belongs to no branch; teachers are narrowed by checkCurriculum.
  section: { kind: 'tenant' },
  /** The hash of a video is a part of its address. */
  lesson: { kind: 'tenant', noSecrets: ['video_hash'] },
  course_enrollment: { kind: 'tenant', branch: byStudent, group: byStudent },
  lesson_completion: { kind: 'tenant', branch: byEnrollment, group: byEnrollment },
}
