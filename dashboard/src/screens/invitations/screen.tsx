import type { Invitation } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useMemberNames } from '../../api/member-names.ts'
import { useList } from '../../api/use-list.ts'
import { invitations as text, roles } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'
import { MemberLists } from '../members/parts.tsx'
import { InviteButton } from './invite-button.tsx'

export function Screen(): ReactElement {
  const address = useListAddress([])
  const { org_id } = useIdentity().me
  const result = useList('invitations', address, ({ limit, last_evaluated_key }, options) =>
    api.invitations.list(org_id, { limit, lastEvaluatedKey: last_evaluated_key }, options),
  )
  const mayWrite = useMay('members:write')
  const [revoking, setRevoking] = useState<Invitation>()
  const client = useQueryClient()
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={useColumns(mayWrite, setRevoking)}
        keyOf={({ invitation_id }) => invitation_id}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={mayWrite && <InviteButton />}
        filters={<MemberLists />}
      />
      {revoking && (
        <FormDialog
          title={text.revokeTitle}
          text={text.revokeText}
          submitLabel={text.revoke}
          isDangerous
          onClose={() => setRevoking(undefined)}
          onSubmit={async ({ idempotencyKey }) => {
            await api.invitations.revoke(org_id, revoking.invitation_id, { idempotencyKey })
            showToast(text.revoked)
            await client.invalidateQueries({ queryKey: ['invitations'] })
          }}
        />
      )}
    </>
  )
}

const tones: Readonly<Record<string, Tone>> = { pending: 'wait', accepted: 'good' }

function useColumns(mayWrite: boolean, onRevoke: (row: Invitation) => void): readonly Column<Invitation>[] {
  const nameOfMember = useMemberNames()
  const columns: readonly Column<Invitation>[] = [
    { label: text.email, cell: ({ email }) => email },
    { label: text.role, cell: ({ role }) => nameOf(roles, role) },
    {
      label: text.status,
      cell: ({ status }) => <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />,
    },
    {
      label: text.invitedBy,
      cell: ({ invited_by }) => <div className={ui.ellipsis}>{nameOfMember(invited_by)}</div>,
    },
    { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
    { label: text.expires, cell: ({ expires_at }) => <Moment at={expires_at} /> },
  ]
  if (!mayWrite) return columns
  return [
    ...columns,
    {
      label: text.actions,
      isEnd: true,
      cell: (row) =>
        row.status === 'pending' && (
          <Button className={ui.small} aria-label={text.revokeOf(row.email)} onClick={() => onRevoke(row)}>
            {text.revoke}
          </Button>
        ),
    },
  ]
}
