import type { Member, MembersUpdateBody } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useNavigate, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { member as text, members, roles } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { countryName } from '../../ui/format.ts'
import { SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { isHeld, useGivableRoles } from '../members/parts.tsx'
import { Matrix } from './matrix.tsx'

const roleOrder = Object.keys(roles)

/** Why this person cannot change the member, or undefined. */
function useObstacle(member: Member | undefined): string | undefined {
  const { me } = useIdentity()
  if (!member) return undefined
  if (member.user_id === me.user_id) return text.self
  const isHigher = roleOrder.indexOf(member.role) < roleOrder.indexOf(me.role)
  const hasMore = member.permissions.some((permission) => !me.permissions.includes(permission))
  return isHigher || hasMore ? text.above : undefined
}

export function Screen(): ReactElement {
  const { userId = '' } = useParams()
  const { org_id } = useIdentity().me
  const { data, error, refetch } = useQuery({
    queryKey: ['members', org_id, userId],
    queryFn: ({ signal }) => api.members.get(org_id, userId, { signal }),
  })
  const mayWrite = useMay('members:write')
  const mayPermit = useMay('permissions:write')
  const obstacle = useObstacle(data)
  return (
    <Page
      title={data ? `${data.first_name} ${data.last_name}` : text.title}
      aside={data && mayWrite && <MemberActions member={data} obstacle={obstacle} />}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && mayWrite && obstacle !== undefined && <p className={ui.muted}>{obstacle}</p>}
      {data && (
        <>
          <Panel title={text.details}>
            <Facts
              facts={[
                { label: members.role, value: nameOf(roles, data.role) },
                { label: members.email, value: data.email },
                { label: text.country, value: data.country && countryName(data.country) },
                { label: members.since, value: <Moment at={data.created_at} isExact /> },
                { label: members.user, value: <span className={parts.mono}>{data.user_id}</span> },
              ]}
            />
          </Panel>
          <Matrix
            key={data.permissions.join(' ')}
            member={data}
            isChangeable={mayPermit && obstacle === undefined}
          />
        </>
      )}
    </Page>
  )
}

function MemberActions({ member, obstacle }: { member: Member; obstacle: string | undefined }): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  const givable = useGivableRoles()
  const [opened, setOpened] = useState<'role' | 'remove'>()
  const { org_id, user_id } = member
  const onClose = (): void => setOpened(undefined)
  return (
    <div className={parts.actions}>
      <Button disabled={obstacle !== undefined} onClick={() => setOpened('role')}>
        {text.changeRole}
      </Button>
      <Button disabled={obstacle !== undefined} onClick={() => setOpened('remove')}>
        {text.remove}
      </Button>
      {opened === 'role' && (
        <FormDialog
          title={text.changeRoleTitle}
          text={text.changeRoleText}
          submitLabel={text.save}
          onClose={onClose}
          onSubmit={async ({ text: field, idempotencyKey }) => {
            const role = field('role') as MembersUpdateBody['role'] // a value of the options
            const answer = await api.members.update(org_id, user_id, { role }, { idempotencyKey })
            showToast(isHeld(answer) ? members.held : text.roleChanged)
            await client.invalidateQueries({ queryKey: ['members'] })
          }}
        >
          <SelectField name="role" label={members.role} options={givable} defaultValue={member.role} />
        </FormDialog>
      )}
      {opened === 'remove' && (
        <FormDialog
          title={text.removeTitle}
          text={text.removeText(`${member.first_name} ${member.last_name}`)}
          submitLabel={text.remove}
          isDangerous
          onClose={onClose}
          onSubmit={async ({ idempotencyKey }) => {
            const answer = await api.members.delete(org_id, user_id, { idempotencyKey })
            showToast(isHeld(answer) ? members.held : text.removed)
            if (!isHeld(answer)) await navigate(paths.members)
          }}
        />
      )}
    </div>
  )
}
