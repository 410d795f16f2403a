import type { ChangeRequest } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { routingPolicies as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import styles from './policy.module.css'
import { useDiff, useRefresh, type Version } from './use-policy.ts'

interface PublishDialogProps {
  draft: Version
  onClose: () => void
  /** Called with the change request if a second person has to approve it, or without one if it was published. */
  onHeld: (request: ChangeRequest | undefined) => void
}

export function PublishDialog({ draft, onClose, onHeld }: PublishDialogProps): ReactElement {
  const refresh = useRefresh()
  return (
    <FormDialog
      title={text.publishTitle(draft.version)}
      text={text.publishText}
      submitLabel={text.publish}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const answer = await api.routingPolicies.publish(String(draft.version), {}, { idempotencyKey })
        const isHeld = 'request_id' in answer
        onHeld(isHeld ? answer : undefined)
        if (!isHeld) showToast(text.publishedToast(draft.version))
        await refresh()
      }}
    >
      <Diff version={draft.version} />
    </FormDialog>
  )
}

const tones: Readonly<Record<string, Tone>> = { added: 'good', removed: 'bad', changed: 'wait' }

/** A rule's sentence starts with its name; the other parts of a policy need a title. */
const sectionOf = (path: string): string | undefined => {
  const [section = ''] = path.split('/')
  return section === 'rules' ? undefined : nameOf(text.sections, section)
}

function Diff({ version }: { version: number }): ReactElement {
  const { data, error, refetch } = useDiff(version)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  if (data.changes.length === 0) return <p className={ui.muted}>{text.noChanges}</p>
  return (
    <ul className={styles.diff}>
      {data.changes.map(({ path, change, before, after }) => (
        <li key={`${path} ${change}`}>
          <span className={styles.bar}>
            <Badge tone={tones[change] ?? 'neutral'} text={nameOf(text.changes, change)} />
            {sectionOf(path)}
          </span>
          {before !== null && <del>{before}</del>}
          {after !== null && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )
}
