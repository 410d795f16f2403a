import type { Member, RoleCatalog } from '@switchyard/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { members as text, roles } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { useIdentity } from '../../shell/session.tsx'
import { SubNav } from '../../ui/sub-nav.tsx'

export const MemberLists = (): ReactElement => (
  <SubNav
    label={text.lists}
    links={[
      { to: paths.members, label: text.title },
      { to: paths.invitations, label: text.invitations },
    ]}
  />
)

const catalogMs = 3_600_000

/** The catalogue changes only with the server's version. */
export const useRoles = (): UseQueryResult<RoleCatalog> =>
  useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => api.catalog.listRoles({ signal }),
    staleTime: catalogMs,
  })

/** The permissions that were granted beyond the role, and those of the role that were revoked. */
export function adjustmentsOf(
  member: Pick<Member, 'role' | 'permissions'>,
  catalog: RoleCatalog | undefined,
): { granted: string[]; revoked: string[] } {
  const byRole = catalog?.roles.find(({ role }) => role === member.role)?.permissions ?? []
  return {
    granted: member.permissions.filter((permission) => !byRole.includes(permission)),
    revoked: byRole.filter((permission) => !member.permissions.includes(permission)),
  }
}

/** The roles that the person can assign: those whose permissions they have themselves. */
export function useGivableRoles(): Record<string, string> {
  const { permissions } = useIdentity().me
  const givable = (useRoles().data?.roles ?? []).filter(({ permissions: needed }) =>
    needed.every((permission) => permissions.includes(permission)),
  )
  return Object.fromEntries(
    Object.entries(roles)
      .filter(([role]) => givable.some((one) => one.role === role))
      .toReversed(),
  )
}

/** Where change control is on, a change of roles or permissions needs a second person's approval. */
export const isHeld = (answer: object | undefined): boolean => answer !== undefined && 'request_id' in answer
