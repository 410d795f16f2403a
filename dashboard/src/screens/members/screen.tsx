import type { Member, RoleCatalog } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { members as text, roles } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { memberPath } from '../../paths.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { formatSeries } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'
import { InviteButton } from '../invitations/invite-button.tsx'
import { adjustmentsOf, MemberLists, useRoles } from './parts.tsx'

export function Screen(): ReactElement {
  const address = useListAddress([])
  const { org_id, user_id } = useIdentity().me
  const result = useList('members', address, ({ limit, last_evaluated_key }, options) =>
    api.members.list(org_id, { limit, lastEvaluatedKey: last_evaluated_key }, options),
  )
  const mayInvite = useMay('members:write')
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columnsWith(user_id, useRoles().data)}
      keyOf={(row) => row.user_id}
      pathOf={(row) => memberPath(row.user_id)}
      empty={{ title: text.empty, text: text.emptyText }}
      aside={mayInvite && <InviteButton />}
      filters={<MemberLists />}
    />
  )
}

const columnsWith = (ownId: string, catalog: RoleCatalog | undefined): readonly Column<Member>[] => [
  {
    label: text.name,
    isLink: true,
    cell: ({ first_name, last_name, user_id }) => (
      <>
        <span className={`${ui.ellipsis} ${ui.roomy}`}>
          {first_name} {last_name}
        </span>
        {user_id === ownId && <span className={ui.muted}>&nbsp;({text.you})</span>}
      </>
    ),
  },
  { label: text.email, cell: ({ email }) => email },
  { label: text.role, cell: ({ role }) => nameOf(roles, role) },
  {
    label: text.adjustments,
    cell: (member) => {
      const { granted, revoked } = adjustmentsOf(member, catalog)
      const words = [
        granted.length > 0 && text.granted(granted.length),
        revoked.length > 0 && text.revoked(revoked.length),
      ].filter((word) => word !== false)
      return catalog && words.length > 0 ? formatSeries(words) : <span className={ui.muted}>{text.none}</span>
    },
  },
  { label: text.since, cell: ({ created_at }) => <Moment at={created_at} /> },
]
