import type { Examples } from '#kit/examples.ts'

export const pageExamples: Examples = {
  'pages.home': async () => ({}),
  'pages.openapi': async () => ({}),
  'pages.setup': async () => ({}),
  'pages.setup-assets': async () => ({ params: { file: 'style/base.css' } }),
  'pages.invitation': async () => ({}),
  'pages.reset-password': async () => ({}),
  'pages.verify-email': async () => ({}),
  'pages.reference': async () => ({}),
  'pages.reference-start': async () => ({}),
  'pages.reference-assets': async () => ({ params: { file: 'swagger-ui.css' } }),
  'pages.guide-style': async () => ({}),
  'pages.guide-overview': async () => ({}),
  'pages.guide-authentication': async () => ({}),
  'pages.guide-paging': async () => ({}),
  'pages.guide-money-and-time': async () => ({}),
  'pages.guide-errors': async () => ({}),
  'pages.guide-idempotency': async () => ({}),
  'pages.guide-webhooks': async () => ({}),
  'metrics.read': async ({ app }) => ({ as: app }),
}
