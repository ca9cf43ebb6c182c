// What the API takes in each field of a form, made from its document by `npm test -- -u`.

/** What can be checked of a field before it is sent. Lengths are in letters, without the spaces around them. */
export interface Bound {
  isRequired?: boolean
  minLength?: number
  maxLength?: number
  maxItems?: number
  min?: number
  max?: number
  isWhole?: boolean
  isEmail?: boolean
}

/** By the schemas that forms send, and their fields. */
export const BOUNDS = {
  Address: {
    line1: { maxLength: 200 },
    line2: { maxLength: 200 },
    city: { maxLength: 100 },
    region: { maxLength: 100 },
    postalCode: { maxLength: 20 },
  },
  ApiKeyChanges: {
    rateLimitPerMin: { isRequired: true, min: 1, max: 1000000, isWhole: true },
  },
  AttendanceMark: {
    studentId: { isRequired: true },
    status: { isRequired: true },
    minutesLate: { min: 0, max: 1440, isWhole: true },
    note: { maxLength: 1000 },
  },
  AttendanceSettingsChanges: {
    lateAfterMinutes: { isRequired: true, min: 0, max: 240, isWhole: true },
  },
  BackupDownload: {
    password: { isRequired: true, maxLength: 1000 },
  },
  BackupKey: {
    key: { isRequired: true, maxLength: 2000 },
  },
  BackupRestore: {
    password: { isRequired: true, maxLength: 1000 },
    key: { maxLength: 2000 },
  },
  Bounce: {
    reason: { isRequired: true, maxLength: 500 },
    feeMinor: { min: 1, max: 100000000, isWhole: true },
  },
  CloseTill: {
    counted: { isRequired: true, maxItems: 50 },
    countedCheques: { maxItems: 10 },
    note: { maxLength: 300 },
    entries: { min: 1, max: 9007199254740991, isWhole: true },
  },
  CourseChanges: {
    name: { isRequired: true, maxLength: 200 },
    code: { maxLength: 50 },
    description: { maxLength: 5000 },
    level: { maxLength: 100 },
    defaultFeeMinor: { min: 0, max: 1000000000000, isWhole: true },
    defaultCapacity: { min: 1, max: 100000, isWhole: true },
    color: { maxLength: 50 },
    language: { maxLength: 50 },
  },
  DiscountChanges: {
    label: { isRequired: true, maxLength: 150 },
  },
  GroupChanges: {
    name: { isRequired: true, maxLength: 150 },
    room: { maxLength: 100 },
    capacity: { min: 1, max: 100000, isWhole: true },
    feeMinor: { min: 0, max: 1000000000000, isWhole: true },
    version: { isRequired: true, min: 1, max: 9007199254740991, isWhole: true },
  },
  GuardianChanges: {
    firstName: { isRequired: true, maxLength: 100 },
    lastName: { isRequired: true, maxLength: 100 },
    phone: { isRequired: true, maxLength: 50 },
    nationalId: { maxLength: 50 },
  },
  InvitationAcceptance: {
    token: { isRequired: true, maxLength: 1000 },
    password: { minLength: 10, maxLength: 1000 },
    fullName: { maxLength: 200 },
  },
  InvoicePayer: {
    guardianId: { isRequired: true },
    reason: { maxLength: 500 },
  },
  LeadChanges: {
    note: { maxLength: 5000 },
  },
  LessonChanges: {
    title: { isRequired: true, maxLength: 200 },
    description: { maxLength: 2000 },
    body: { maxLength: 10000 },
    durationSec: { min: 0, max: 86400, isWhole: true },
    version: { isRequired: true, min: 1, max: 9007199254740991, isWhole: true },
  },
  LicenseUnlock: {
    token: { isRequired: true, maxLength: 8192 },
  },
  MemberRoles: {
    roles: { isRequired: true, maxItems: 100 },
  },
  NewAbsence: {
    from: { isRequired: true },
    to: { isRequired: true },
    reason: { isRequired: true, maxLength: 300 },
  },
  NewApiKey: {
    name: { isRequired: true, maxLength: 100 },
    permissions: { maxItems: 100 },
    allowedOrigins: { maxItems: 100 },
    rateLimitPerMin: { min: 1, max: 1000000, isWhole: true },
  },
  NewBranch: {
    name: { isRequired: true, maxLength: 200 },
    code: { maxLength: 50 },
    phone: { maxLength: 50 },
  },
  NewCheque: {
    bank: { isRequired: true, maxLength: 50 },
    branch: { isRequired: true, maxLength: 20 },
    account: { isRequired: true, maxLength: 30 },
    number: { isRequired: true, maxLength: 20 },
    amountMinor: { isRequired: true, min: 1, max: 1000000000000, isWhole: true },
    dueOn: { isRequired: true },
  },
  NewChequeDeposit: {
    chequeIds: { isRequired: true, maxItems: 200 },
    bankAccount: { isRequired: true, maxLength: 100 },
  },
  NewClosure: {
    name: { isRequired: true, maxLength: 150 },
    from: { isRequired: true },
    to: { isRequired: true },
  },
  NewCourse: {
    categoryId: { isRequired: true },
    name: { isRequired: true, maxLength: 200 },
    code: { maxLength: 50 },
    description: { maxLength: 5000 },
    level: { maxLength: 100 },
    defaultFeeMinor: { min: 0, max: 1000000000000, isWhole: true },
    defaultCapacity: { min: 1, max: 100000, isWhole: true },
    color: { maxLength: 50 },
    language: { maxLength: 50 },
  },
  NewCourseCategory: {
    name: { isRequired: true, maxLength: 150 },
    slug: { isRequired: true, maxLength: 150 },
    sortOrder: { min: -1000000, max: 1000000, isWhole: true },
  },
  NewCover: {
    substituteStaffId: { isRequired: true },
    from: { isRequired: true },
    to: { isRequired: true },
    others: { maxItems: 366 },
    groupIds: { maxItems: 200 },
    exceptSessionIds: { maxItems: 1000 },
    reason: { maxLength: 300 },
  },
  NewCreditNote: {
    amountMinor: { min: 1, max: 1000000000000, isWhole: true },
    lines: { maxItems: 50 },
    reason: { isRequired: true, maxLength: 300 },
  },
  NewDiscount: {
    kind: { isRequired: true },
    value: { isRequired: true, min: 0, max: 1000000000000 },
    label: { isRequired: true, maxLength: 150 },
    validFrom: { isRequired: true },
  },
  NewExam: {
    title: { isRequired: true, maxLength: 200 },
    kind: { isRequired: true },
    maxScore: { isRequired: true, min: 0, max: 1000000 },
    weight: { min: 0, max: 1000000 },
  },
  NewFeeSchedule: {
    name: { isRequired: true, maxLength: 150 },
    kind: { isRequired: true },
    amountMinor: { isRequired: true, min: 0, max: 1000000000000, isWhole: true },
    currency: { isRequired: true },
    recurrence: { isRequired: true },
    dueDay: { min: 1, max: 31, isWhole: true },
  },
  NewGroup: {
    courseId: { isRequired: true },
    branchId: { isRequired: true },
    name: { isRequired: true, maxLength: 150 },
    room: { maxLength: 100 },
    capacity: { min: 1, max: 100000, isWhole: true },
    feeMinor: { min: 0, max: 1000000000000, isWhole: true },
  },
  NewGuardian: {
    firstName: { isRequired: true, maxLength: 100 },
    lastName: { isRequired: true, maxLength: 100 },
    phone: { isRequired: true, maxLength: 50 },
    nationalId: { maxLength: 50 },
  },
  NewGuardianLink: {
    guardianId: { isRequired: true },
    relationship: { isRequired: true },
    isPrimary: { isRequired: true },
    isPayer: { isRequired: true },
  },
  NewHomework: {
    text: { isRequired: true, maxLength: 2000 },
  },
  NewInvoice: {
    studentId: { isRequired: true },
    lines: { isRequired: true, maxItems: 200 },
    notes: { maxLength: 2000 },
  },
  NewInvoiceLine: {
    description: { isRequired: true, maxLength: 300 },
    quantity: { min: 1, max: 10000, isWhole: true },
    unitAmountMinor: { isRequired: true, min: 0, max: 1000000000000, isWhole: true },
    discountMinor: { min: 0, max: 1000000000000, isWhole: true },
    taxRatePercent: { min: 0, max: 100 },
    siblingPlace: { min: 1, max: 1000, isWhole: true },
  },
  NewLead: {
    firstName: { isRequired: true, maxLength: 100 },
    lastName: { isRequired: true, maxLength: 100 },
    phone: { isRequired: true, maxLength: 50 },
    courseInterest: { maxLength: 200 },
    message: { maxLength: 2000 },
    note: { maxLength: 5000 },
  },
  NewLesson: {
    title: { isRequired: true, maxLength: 200 },
    description: { maxLength: 2000 },
    body: { maxLength: 10000 },
    durationSec: { min: 0, max: 86400, isWhole: true },
  },
  NewLicense: {
    tenantId: { isRequired: true },
    maxInstalls: { isRequired: true, min: 1, max: 1000, isWhole: true },
  },
  NewMailServer: {
    host: { isRequired: true, maxLength: 253 },
    port: { isRequired: true, min: 1, max: 65535, isWhole: true },
    encryption: { isRequired: true },
    user: { maxLength: 320 },
    sender: { isRequired: true, maxLength: 254, isEmail: true },
    password: { maxLength: 1000 },
  },
  NewMember: {
    email: { isRequired: true, maxLength: 254, isEmail: true },
    roleId: { isRequired: true },
    branchIds: { maxItems: 100 },
  },
  NewNotificationProvider: {
    provider: { isRequired: true },
    host: { maxLength: 253 },
    port: { min: 1, max: 65535, isWhole: true },
    user: { maxLength: 300 },
    password: { maxLength: 1000 },
    from: { maxLength: 254 },
    url: { maxLength: 2000 },
    token: { maxLength: 2000 },
    publicKey: { maxLength: 200 },
    privateKey: { maxLength: 200 },
    subject: { maxLength: 300 },
  },
  NewNotificationTemplate: {
    key: { isRequired: true, maxLength: 150 },
    channel: { isRequired: true },
    locale: { isRequired: true },
    subject: { maxLength: 300 },
    body: { isRequired: true, maxLength: 5000 },
    providerTemplateName: { maxLength: 150 },
  },
  NewPlan: {
    code: { isRequired: true },
    name: { isRequired: true, maxLength: 100 },
    priceMinor: { isRequired: true, min: 0, max: 1000000000000, isWhole: true },
    currency: { isRequired: true },
    interval: { isRequired: true },
    features: { isRequired: true },
    quotas: { isRequired: true },
  },
  NewPlatformTenant: {
    slug: { isRequired: true },
    name: { isRequired: true, maxLength: 200 },
    defaultLocale: { isRequired: true },
    timezone: { isRequired: true },
    currency: { isRequired: true },
    owner: { isRequired: true },
  },
  NewPlatformUser: {
    email: { isRequired: true, maxLength: 254, isEmail: true },
    fullName: { isRequired: true, maxLength: 200 },
  },
  NewProgressReport: {
    studentId: { isRequired: true },
    periodStart: { isRequired: true },
    periodEnd: { isRequired: true },
    comment: { maxLength: 5000 },
  },
  NewProposal: {
    changes: { isRequired: true },
    note: { maxLength: 500 },
  },
  NewReceipt: {
    allocations: { maxItems: 50 },
    amountMinor: { min: 1, max: 1000000000000, isWhole: true },
    currency: { isRequired: true },
    method: { isRequired: true },
    reference: { maxLength: 200 },
  },
  NewRefund: {
    amountMinor: { isRequired: true, min: 1, max: 1000000000000, isWhole: true },
    method: { isRequired: true },
    reference: { maxLength: 200 },
    reason: { isRequired: true, maxLength: 300 },
  },
  NewRole: {
    name: { isRequired: true, maxLength: 100 },
    description: { maxLength: 500 },
    permissions: { isRequired: true, maxItems: 100 },
  },
  NewSection: {
    title: { isRequired: true, maxLength: 200 },
  },
  NewSession: {
    scheduledStart: { isRequired: true },
    scheduledEnd: { isRequired: true },
    topic: { maxLength: 300 },
    notes: { maxLength: 5000 },
  },
  NewSiblingDiscount: {
    child: { isRequired: true, min: 2, max: 20, isWhole: true },
    percent: { isRequired: true, min: 1, max: 100 },
  },
  NewStaff: {
    branchId: { isRequired: true },
    firstName: { isRequired: true, maxLength: 100 },
    lastName: { isRequired: true, maxLength: 100 },
    phone: { maxLength: 50 },
    title: { maxLength: 150 },
  },
  NewTenantDomain: {
    domain: { isRequired: true, maxLength: 236 },
    kind: { isRequired: true },
  },
  NewTenantOwner: {
    email: { isRequired: true, maxLength: 254, isEmail: true },
    fullName: { isRequired: true, maxLength: 200 },
  },
  NewTerm: {
    name: { isRequired: true, maxLength: 100 },
    startsOn: { isRequired: true },
  },
  NewWaitingEntry: {
    studentId: { isRequired: true },
    note: { maxLength: 500 },
  },
  NewWebhookEndpoint: {
    url: { isRequired: true, maxLength: 2000 },
    events: { isRequired: true, maxItems: 100 },
  },
  PaperSettingsChanges: {
    taxNumber: { maxLength: 50 },
    address: { maxLength: 500 },
  },
  PasswordAgain: {
    password: { isRequired: true, maxLength: 1000 },
  },
  PasswordChange: {
    currentPassword: { isRequired: true, maxLength: 1000 },
    newPassword: { isRequired: true, minLength: 10, maxLength: 1000 },
  },
  PasswordReset: {
    token: { isRequired: true, maxLength: 1000 },
    newPassword: { isRequired: true, minLength: 10, maxLength: 1000 },
  },
  PlanQuotaChanges: {
    maxStudents: { min: 0, max: 9007199254740991, isWhole: true },
    maxStaff: { min: 0, max: 9007199254740991, isWhole: true },
    maxBranches: { min: 0, max: 9007199254740991, isWhole: true },
    maxGroups: { min: 0, max: 9007199254740991, isWhole: true },
    maxCourses: { min: 0, max: 9007199254740991, isWhole: true },
    maxStorageBytes: { min: 0, max: 9007199254740991, isWhole: true },
    maxApiKeys: { min: 0, max: 9007199254740991, isWhole: true },
    maxMonthlyMessages: { min: 0, max: 9007199254740991, isWhole: true },
    apiRateLimitPerMin: { min: 1, max: 1000000, isWhole: true },
  },
  ProfileChanges: {
    fullName: { isRequired: true, maxLength: 200 },
    phone: { maxLength: 50 },
  },
  ProgressReportChanges: {
    comment: { maxLength: 5000 },
    version: { isRequired: true, min: 1, max: 9007199254740991, isWhole: true },
  },
  ProgressReportReturn: {
    remark: { isRequired: true, maxLength: 1000 },
  },
  ProposedDetails: {
    firstName: { maxLength: 100 },
    lastName: { maxLength: 100 },
    phone: { maxLength: 50 },
    nationalId: { maxLength: 50 },
  },
  Reason: {
    reason: { isRequired: true, maxLength: 500 },
  },
  RegistrationGuardian: {
    firstName: { maxLength: 100 },
    lastName: { maxLength: 100 },
    phone: { maxLength: 50 },
    nationalId: { maxLength: 50 },
  },
  RegistrationStudent: {
    firstName: { maxLength: 100 },
    lastName: { maxLength: 100 },
    phone: { maxLength: 50 },
    nationalId: { maxLength: 50 },
    tags: { maxItems: 50 },
    notes: { maxLength: 5000 },
    groups: { maxItems: 10 },
    lines: { maxItems: 200 },
  },
  RolloverName: {
    groupId: { isRequired: true },
    name: { isRequired: true, maxLength: 150 },
  },
  SectionChanges: {
    title: { isRequired: true, maxLength: 200 },
    version: { isRequired: true, min: 1, max: 9007199254740991, isWhole: true },
  },
  ServerHttpsChoice: {
    way: { isRequired: true },
    name: { isRequired: true, maxLength: 253 },
    leads: { isRequired: true },
  },
  ServerLanNameChoice: {
    name: { isRequired: true, maxLength: 66 },
  },
  SessionChanges: {
    reason: { isRequired: true, maxLength: 500 },
    topic: { maxLength: 300 },
    notes: { maxLength: 5000 },
  },
  SettingsChanges: {
    name: { isRequired: true, maxLength: 200 },
    baseUrl: { maxLength: 2000 },
    invoiceDueDays: { isRequired: true, min: 0, max: 365, isWhole: true },
    siblingDiscounts: { maxItems: 10 },
    offerDays: { isRequired: true, min: 1, max: 60, isWhole: true },
    teacherMessagesPerDay: { isRequired: true, min: 0, max: 20, isWhole: true },
    invoiceFooter: { maxLength: 2000 },
    terms: { maxItems: 100 },
    version: { isRequired: true, min: 1, max: 9007199254740991, isWhole: true },
  },
  StudentChanges: {
    firstName: { isRequired: true, maxLength: 100 },
    lastName: { isRequired: true, maxLength: 100 },
    phone: { maxLength: 50 },
    nationalId: { maxLength: 50 },
    tags: { maxItems: 50 },
    notes: { maxLength: 5000 },
    version: { isRequired: true, min: 1, max: 9007199254740991, isWhole: true },
  },
  StudentStatusChange: {
    status: { isRequired: true },
    reason: { maxLength: 500 },
  },
  TenantChanges: {
    name: { isRequired: true, maxLength: 200 },
  },
  VideoLink: {
    url: { isRequired: true, maxLength: 2000 },
  },
} as const satisfies Record<string, Record<string, Bound>>
