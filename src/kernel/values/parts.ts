import { ApiError, issuesOf } from './errors.ts'

/** Refusals of one part of a request that makes several records: they say which part it is. */

/** The field of a part to which a refusal belongs, by the refusal's name; undefined: to the whole part. */
type FieldOfRefusal = Readonly<Record<string, string>>

const located = (error: ApiError, path: readonly string[], fields: FieldOfRefusal): ApiError => {
  const issues = issuesOf(error)
  const field = fields[error.spec.name]
  const where =
    issues.length > 0
      ? { issues: issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })) }
      : { path: field === undefined ? path : [...path, field] }
  return new ApiError(error.spec, { ...error.details, ...where }, error.headers, { cause: error })
}

/**
 * Does the work of one part of a body.
 * @throws whatever `work` throws; a refusal says where in the body the part is
 */
export const inPart = async <T>(
  path: readonly (string | number)[],
  work: () => Promise<T>,
  fields: FieldOfRefusal = {},
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ApiError ? located(error, path.map(String), fields) : error
  }
}
