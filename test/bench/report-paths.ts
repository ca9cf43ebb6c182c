/** Every report of a large institute, by what makes its rows many. @param year the query of the days of its lessons */
export const reportPaths = (year: string): string[] => {
  const grown = '?from=2020-01-01&to=2021-12-31'
  return [
    ...['group', 'student', 'month'].map((by) => `attendance${year}&by=${by}`),
    ...['month', 'course'].map((by) => `income${grown}&by=${by}`),
    ...['payer', 'family'].map((by) => `debts?by=${by}`),
    ...['month', 'group', 'month_group'].map((by) => `enrollment${grown}&by=${by}`),
    `staff-hours${year}`,
  ].map((path) => `/reports/${path}`)
}
