import type { Reason } from '../../api/contract.d.ts'

/** Why something was refused, by its reason, and where there is none by its code. */
export const refusals = {
  unreachable: 'The server cannot be reached. Check the connection and try again.',
  busy: 'The server has a lot to do at the moment. Try again in a little while.',
  failed: 'Something went wrong on the server. Try again; if it happens again, tell whoever runs it.',
  reference: (id: string) => `Reference: ${id}`,
  invalid: 'Check what is marked.',
  notFound: 'It is not there any more, or not open to you.',
  codes: {
    UNAUTHORIZED: 'Sign in first.',
    FORBIDDEN: 'You may not do this.',
    FEATURE_DISABLED: 'This is not part of what the institute has.',
    RATE_LIMITED: 'Too many tries in a short time. Wait a minute and try again.',
    VERSION_CONFLICT: 'Somebody else changed it meanwhile. Look at it as it is now, and change it again.',
    SUBSCRIPTION_SUSPENDED: 'The licence of this institute is locked: nothing can be changed.',
    PAYMENT_REQUIRED: 'The licence of this institute has ended: nothing can be changed.',
    TENANT_SUSPENDED: 'This institute is closed.',
    MEMBERSHIP_INACTIVE: 'Your access to this institute has been ended.',
    ACCOUNT_DISABLED: 'This account has been disabled.',
    ACCOUNT_LOCKED: 'Too many wrong passwords. Wait 15 minutes, or set a new password.',
  } as Partial<Record<string, string>>,
  reasons: {} as Partial<Record<Reason, string>>,
}
