import type { Member, PermissionsSetBody, RoleCatalog } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { member as text, members } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/list-page.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { isHeld, useRoles } from '../members/parts.tsx'
import styles from './member.module.css'

interface MatrixProps {
  member: Member
  isChangeable: boolean
}

/** Every permission: what the role gives, what was adjusted, and the effective result, which can be changed. */
export function Matrix({ member, isChangeable }: MatrixProps): ReactElement {
  const { data, error, refetch } = useRoles()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(member.permissions))
  const changes = new Set(member.permissions).symmetricDifference(chosen).size
  return (
    <Panel
      title={text.permissions}
      aside={
        changes > 0 && (
          <SaveBar
            member={member}
            chosen={chosen}
            changes={changes}
            onDiscard={() => setChosen(new Set(member.permissions))}
          />
        )
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <MatrixTable catalog={data} {...{ member, isChangeable, chosen }} onChange={setChosen} />}
    </Panel>
  )
}

interface SaveBarProps {
  member: Member
  chosen: ReadonlySet<string>
  changes: number
  onDiscard: () => void
}

function SaveBar({ member, chosen, changes, onDiscard }: SaveBarProps): ReactElement {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      api.permissions.set(member.org_id, member.user_id, {
        permissions: [...chosen] as unknown as PermissionsSetBody['permissions'], // values of the catalogue
      }),
    onSuccess: (answer) => {
      showToast(isHeld(answer) ? members.held : text.saved)
      return client.invalidateQueries({ queryKey: ['members'] })
    },
    onError: (failure) => showToast(failure.message),
  })
  return (
    <div className={styles.save}>
      <span className={ui.muted}>{text.unsaved(changes)}</span>
      <Button className={ui.small} disabled={save.isPending} onClick={onDiscard}>
        {text.discard}
      </Button>
      <Button className={ui.small} isPrimary disabled={save.isPending} onClick={() => save.mutate()}>
        {text.savePermissions}
      </Button>
    </div>
  )
}

interface MatrixTableProps extends MatrixProps {
  catalog: RoleCatalog
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

function MatrixTable({ catalog, member, isChangeable, chosen, onChange }: MatrixTableProps): ReactElement {
  const own = useIdentity().me.permissions
  const byRole = catalog.roles.find(({ role }) => role === member.role)?.permissions ?? []
  const toggle = (permission: string): void => onChange(chosen.symmetricDifference(new Set([permission])))
  return (
    <Table
      title={text.permissions}
      rows={catalog.permissions.filter(
        ({ resource, permission }) => resource !== 'platform' || own.includes(permission),
      )}
      keyOf={({ permission }) => permission}
      columns={[
        {
          label: text.permission,
          cell: ({ permission, description }) => (
            <span className={styles.permission}>
              <span className={parts.mono}>{permission}</span>
              <span className={styles.description}>
                <bdi>{description}</bdi>
              </span>
            </span>
          ),
        },
        {
          label: text.byRole,
          cell: ({ permission }) =>
            byRole.includes(permission) ? text.yes : <span className={ui.muted}>{text.no}</span>,
        },
        {
          label: text.adjustment,
          cell: ({ permission }) =>
            chosen.has(permission) !== byRole.includes(permission) && (
              <Badge
                tone={chosen.has(permission) ? 'good' : 'bad'}
                text={chosen.has(permission) ? text.granted : text.revoked}
              />
            ),
        },
        {
          label: text.effective,
          cell: ({ permission }) => (
            <input
              type="checkbox"
              className={styles.box}
              aria-label={permission}
              checked={chosen.has(permission)}
              disabled={!isChangeable || !own.includes(permission)}
              title={isChangeable && !own.includes(permission) ? text.lack : undefined}
              onChange={() => toggle(permission)}
            />
          ),
        },
      ]}
    />
  )
}
