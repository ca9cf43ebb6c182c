/**
 * The operations that no page calls, by the reason in words. One that a page calls may not stand here, and one that none
 * calls must: `operations.test.ts` compares.
 */
export const UNCALLED: Readonly<Record<string, readonly string[]>> = {
  'Whoever looks after a server asks from outside whether it lives, and how it does.': [
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
  ],
  'Programs read from it what there is to call.': ['GET /openapi.json', 'GET /webhooks/events'],
  'Assistants connect by it, as OAuth says.': [
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'POST /oauth/register',
    'POST /oauth/token',
    'POST /oauth/revoke',
  ],
  'The server of an institute tells its vendor by it that it lives.': ['POST /platform/licenses/heartbeat'],
  'The server of an institute asks its vendor by it for a name on its own network.': [
    'POST /platform/licenses/lan-name',
  ],
  'The payment company calls it.': ['POST /payment-notices/{id}'],
  'A calendar on a phone fetches it by its secret address.': ['GET /calendar/{file}'],
  'The browser follows an address that the server signed, and builds none itself.': [
    'GET /files/{institute}/{id}',
    'PUT /files/{institute}/{id}',
    'GET /server/backups/{name}/file',
    'GET /server/address/seen',
  ],
  'The widget on a website asks it, at the address of the server that it came from.': [
    'GET /public/courses',
    'POST /public/registrations',
  ],
  'For apps of the institute’s own: in the console whoever is invited has an account already.': [
    'POST /auth/register',
    'POST /auth/resend-verification',
    'GET /me/courses',
    'GET /me/courses/{courseId}',
  ],
  'A list shows the whole of each of its records, so that its page need not read one alone.': [
    'GET /roles/{id}',
    'GET /course-categories/{id}',
    'GET /closures/{id}',
    'GET /exams/{id}',
    'GET /fee-schedules/{id}',
    'GET /discounts/{id}',
    'GET /credit-notes/{id}',
    'GET /refunds/{id}',
    'GET /cheques/{id}',
    'GET /cheque-deposits/{id}',
    'GET /tills/closes/{id}',
    'GET /payments/{id}',
    'GET /online-payments/{id}',
    'GET /enrollments/{id}',
    'GET /sessions/{id}',
    'GET /platform/plans/{id}',
  ],
  'A page asks for the same together with what stands beside it.': [
    'GET /groups/{id}/sessions',
    'GET /exams/{id}/results',
    'GET /dashboard',
    'GET /billing/summary',
    'GET /payments',
    'GET /platform/tenants/{id}/domains',
  ],
  'A page does the same by an operation that does more: for many at once, for a family, or with a number of its own.': [
    'PUT /exams/{id}/results',
    'POST /students',
    // Registering from an enquiry converts it, with the family and the first invoice.
    'POST /leads/{id}/convert',
    'POST /students/{id}/invite',
    'POST /invoices/{id}/payments',
    'POST /payments/{id}/reverse',
    'POST /groups/{id}/sessions/generate',
    'POST /progress-reports/{id}/send',
  ],
  'Pages end what is over, and delete no record that others name: programs that tidy up after themselves do.': [
    'DELETE /students/{id}',
    'DELETE /guardians/{id}',
    'DELETE /staff/{id}',
    'DELETE /courses/{id}',
    'DELETE /groups/{id}',
    'DELETE /enrollments/{id}',
    'DELETE /fee-schedules/{id}',
  ],
}
