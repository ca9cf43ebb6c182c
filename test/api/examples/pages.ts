import type { Examples } from '#kit/examples.ts'

export const pageExamples: Examples = {
  'pages.console': async () => ({}),
  'pages.console-place': async () => ({ params: { place: 'students' } }),
  'pages.console-below': async () => ({ params: { place: 'students', rest: 'x' } }),
  'pages.console-assets': async () => ({ params: { file: 'start.json' } }),
  'https.ca': async () => ({}),
  'https.root': async ({ owner }) => {
    await owner.put('/server/https', { way: 'local', name: null, leads: false })
    return { params: { file: 'root.crt' } }
  },
  'https.proof': async ({ app, serial }) => {
    const token = `token-${serial}`
    app.app.https.prove(token, 'a proof')
    return { params: { token } }
  },
  'pages.api': async () => ({}),
  'pages.icon': async () => ({}),
  'pages.robots': async () => ({}),
  'pages.manifest': async () => ({}),
  'pages.push-worker': async () => ({}),
  'pages.openapi': async () => ({}),
  'pages.setup': async () => ({}),
  'pages.setup-assets': async () => ({ params: { file: 'style/base.css' } }),
  'pages.invitation': async () => ({}),
  'pages.license': async () => ({}),
  'pages.authorize': async () => ({}),
  'pages.reset-password': async () => ({}),
  'pages.verify-email': async () => ({}),
  'pages.reference': async () => ({}),
  'pages.reference-start': async () => ({}),
  'pages.reference-assets': async () => ({ params: { file: 'swagger-ui.css' } }),
  'pages.guide-style': async () => ({}),
  'pages.guide-code': async () => ({ params: { file: 'verify.mjs' } }),
  'pages.guide': async () => ({}),
  'pages.guide-pages': async () => ({ params: { file: 'webhooks' } }),
  'pages.server': async () => ({}),
  'pages.server-pages': async () => ({ params: { file: 'backups' } }),
  'pages.widget': async () => ({}),
  'metrics.read': async ({ app }) => ({ as: app }),
}
