export { MailBudget, type MailLimits } from './budget.ts'
export { mailModule, type MailDeps } from './module.ts'
export { createSendMail, type OutgoingMail, type SendMail } from './send.ts'
export { linkOf } from './templates.ts'
