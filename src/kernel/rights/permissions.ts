/**
 * The list of permissions. `tenantWide` permissions concern the whole institute; they have no effect when a role is
 * assigned for one branch only.
 */
const REGISTRY = [
  ['students.read', 'See students', 'people'],
  ['students.write', 'Add and change students', 'people'],
  ['guardians.read', 'See guardians', 'people'],
  ['guardians.write', 'Add, change and link guardians', 'people'],
  ['staff.read', 'See staff', 'people'],
  ['staff.write', 'Add and change staff', 'people'],
  ['members.read', 'See who may sign in, and the roles', 'administration', 'tenantWide'],
  ['members.manage', 'Invite, disable and remove members', 'administration', 'tenantWide'],
  ['roles.manage', 'Create and change roles', 'administration', 'tenantWide'],
  ['branches.manage', 'Open and change branches', 'administration'],
  ['settings.manage', 'Change the settings of the institute', 'administration', 'tenantWide'],
  ['courses.read', 'See courses and categories', 'academics'],
  ['courses.write', 'Add and change courses and categories', 'academics'],
  ['groups.read', 'See groups, schedules and sessions', 'academics'],
  ['groups.write', 'Add and change groups, schedules and sessions', 'academics'],
  ['enrollments.read', 'See enrollments', 'academics'],
  ['enrollments.write', 'Enroll students and end enrollments', 'academics'],
  ['attendance.read', 'See attendance', 'academics'],
  ['attendance.mark', 'Mark attendance', 'academics'],
  ['exams.read', 'See exams and results', 'academics'],
  ['exams.write', 'Add exams and enter results', 'academics'],
  ['reports.read', 'See reports and the dashboard', 'reports'],
  ['reports.write', 'Write and send progress reports', 'reports'],
  ['invoices.read', 'See invoices, payments and balances', 'billing'],
  ['invoices.write', 'Make, issue and void invoices', 'billing'],
  ['payments.record', 'Record and reverse payments', 'billing'],
  ['curriculum.read', 'See the contents of video courses', 'curriculum'],
  ['curriculum.write', 'Change the contents of video courses', 'curriculum'],
  ['leads.read', 'See leads', 'people'],
  ['leads.write', 'Work on leads', 'people'],
  ['notifications.manage', 'Change templates and providers of messages', 'notifications', 'tenantWide'],
  ['notifications.send', 'Send messages', 'notifications'],
  ['files.read', 'See files', 'files'],
  ['files.write', 'Upload and delete files', 'files'],
  ['audit.read', 'Read the audit log', 'administration', 'tenantWide'],
  ['integration.manage', 'Manage API keys and webhooks', 'administration', 'tenantWide'],
  ['mcp.access', 'Use the institute through an assistant (MCP)', 'administration', 'tenantWide'],
] as const

export type Permission = (typeof REGISTRY)[number][0]

export interface PermissionInfo {
  key: Permission
  description: string
  group: string
}

export const PERMISSIONS: readonly PermissionInfo[] = REGISTRY.map(([key, description, group]) => ({
  key,
  description,
  group,
}))
export const ALL_PERMISSIONS: readonly Permission[] = PERMISSIONS.map((p) => p.key)

const known = new Set<string>(ALL_PERMISSIONS)
const tenantWide = new Set<Permission>(REGISTRY.filter((row) => row[3] === 'tenantWide').map((row) => row[0]))

const isPermission = (text: string): text is Permission => known.has(text)
export const isTenantWide = (permission: Permission): boolean => tenantWide.has(permission)

// The permission that each permission implies: a write permission implies the read permission of the same resource.
const IMPLIED: Partial<Record<Permission, Permission>> = Object.fromEntries(
  ALL_PERMISSIONS.flatMap((permission) => {
    const [resource, verb] = permission.split('.') as [string, string]
    const read = `${resource}.read`
    return verb !== 'read' && isPermission(read) ? [[permission, read]] : []
  }),
)

/** The given permissions and those that they imply. */
export const withImplied = (permissions: readonly Permission[]): Set<Permission> => {
  const all = new Set<Permission>(permissions)
  for (const permission of permissions) {
    const implied = IMPLIED[permission]
    if (implied) all.add(implied)
  }
  return all
}

export type SystemRoleKey =
  | 'owner'
  | 'admin'
  | 'branch_manager'
  | 'teacher'
  | 'front_desk'
  | 'accountant'
  | 'student'
  | 'guardian'

const allBut = (...left: Permission[]): Permission[] => ALL_PERMISSIONS.filter((p) => !left.includes(p))

interface SystemRole {
  key: SystemRoleKey
  permissions: readonly Permission[]
}

/** The roles that every institute starts with. */
export const SYSTEM_ROLES: readonly SystemRole[] = [
  { key: 'owner', permissions: ALL_PERMISSIONS },
  {
    key: 'admin',
    permissions: allBut('roles.manage'),
  },
  {
    key: 'branch_manager',
    permissions: allBut('roles.manage', 'settings.manage', 'integration.manage', 'members.manage', 'audit.read'),
  },
  {
    key: 'teacher',
    permissions: ['groups.read', 'students.read', 'attendance.mark', 'exams.write', 'curriculum.read'],
  },
  {
    key: 'front_desk',
    permissions: [
      'students.write',
      'guardians.write',
      'enrollments.write',
      'leads.write',
      'groups.read',
      'courses.read',
      'staff.read',
      'invoices.read',
      'attendance.read',
      'payments.record',
      'files.write',
    ],
  },
  {
    key: 'accountant',
    permissions: ['invoices.write', 'payments.record', 'students.read', 'guardians.read', 'reports.read'],
  },
  { key: 'student', permissions: [] },
  { key: 'guardian', permissions: [] },
]

/**
 * The records that a permission applies to: those of the whole institute, or those of the listed branches and groups.
 */
export type Reach = 'all' | { branchIds: readonly string[]; groupIds: readonly string[] }

export interface TaughtGroup {
  id: string
  branchId: string
}

/** One role that was assigned to a caller. */
export interface Grant {
  permissions: readonly Permission[]
  /** null: for the whole institute. */
  branchId: string | null
  /**
   * Set for the teacher role. It reaches only the groups that the teacher teaches or substitutes, limited to the branch
   * of the assignment.
   */
  groups?: readonly TaughtGroup[]
}

/** The permissions of a caller, each with its reach. */
export class Grants {
  readonly #reach = new Map<Permission, Reach>()
  readonly #taught = new Map<Permission, ReadonlySet<string>>()

  constructor(grants: readonly Grant[]) {
    for (const grant of grants) {
      for (const permission of withImplied(grant.permissions)) this.#add(permission, grant)
    }
  }

  #add(permission: Permission, { branchId, groups }: Grant): void {
    // A teacher role for one branch reaches the groups of the teacher in that branch.
    const ofBranch = groups?.filter((group) => branchId === null || group.branchId === branchId).map(({ id }) => id)
    if (ofBranch) this.#taught.set(permission, new Set([...(this.#taught.get(permission) ?? []), ...ofBranch]))
    const before = this.#reach.get(permission)
    const limited = branchId !== null || groups !== undefined
    if (before === 'all' || (limited && isTenantWide(permission))) return
    if (!limited) {
      this.#reach.set(permission, 'all')
      return
    }
    const reach = before ?? { branchIds: [], groupIds: [] }
    this.#reach.set(
      permission,
      ofBranch
        ? { ...reach, groupIds: [...new Set([...reach.groupIds, ...ofBranch])] }
        : { ...reach, branchIds: [...new Set([...reach.branchIds, branchId as string])] },
    )
  }

  /** The reach of a permission; undefined: the caller does not have it. */
  reach(permission: Permission): Reach | undefined {
    return this.#reach.get(permission)
  }

  /** The groups in which the caller has the permission as their teacher; undefined: no role of a teacher gives it. */
  taught(permission: Permission): Reach | undefined {
    const groupIds = this.#taught.get(permission)
    return groupIds && { branchIds: [], groupIds: [...groupIds] }
  }

  /** Whether the caller has the permission for at least one record. */
  holds(permission: Permission): boolean {
    return this.#reach.has(permission)
  }

  /** All permissions that the caller has for at least one record, in the order of the list above. */
  list(): Permission[] {
    return ALL_PERMISSIONS.filter((permission) => this.#reach.has(permission))
  }

  /**
   * Returns the `permissions` that the caller lacks there, and so must not grant to somebody else.
   * @param branchId null: the whole institute. For a branch, permissions that have no effect there are never missing.
   */
  missing(permissions: readonly Permission[], branchId: string | null): Permission[] {
    return permissions.filter((permission) => {
      const reach = this.#reach.get(permission)
      if (reach === 'all' || (branchId !== null && isTenantWide(permission))) return false
      return branchId === null || !reach?.branchIds.includes(branchId)
    })
  }
}
