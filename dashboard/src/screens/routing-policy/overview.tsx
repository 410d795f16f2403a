import type { ChangeRequest } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { routingPolicies as text } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { PublishDialog } from './publish-dialog.tsx'
import styles from './policy.module.css'
import { useRefresh, type Version } from './use-policy.ts'

interface OverviewProps {
  published: Version | undefined
  draft: Version | undefined
  onHeld: (request: ChangeRequest | undefined) => void
}

/** The published policy, and the draft beside it. */
export function Overview({ published, draft, onHeld }: OverviewProps): ReactElement {
  const mayWrite = useMay('provider-configs:write')
  const [opened, setOpened] = useState<'publish' | 'withdraw'>()
  const onClose = (): void => setOpened(undefined)
  const write = (label: string): ReactElement | undefined =>
    mayWrite ? (
      <Link className={buttonClass(false)} to="?view=editor" preventScrollReset>
        {label}
      </Link>
    ) : undefined
  return (
    <div className={styles.sides}>
      <Panel
        title={text.published}
        aside={
          mayWrite && published && <Button onClick={() => setOpened('withdraw')}>{text.withdraw}</Button>
        }
      >
        {published ? (
          <Sentences version={published} />
        ) : (
          <EmptyState title={text.noPolicy} text={text.noPolicyText} />
        )}
      </Panel>
      <Panel
        title={text.draft}
        aside={
          draft &&
          mayWrite && (
            <span className={parts.rowActions}>
              {write(text.editDraft)}
              <Button isPrimary onClick={() => setOpened('publish')}>
                {text.publish}
              </Button>
            </span>
          )
        }
      >
        {draft ? (
          <Sentences version={draft} />
        ) : (
          <EmptyState title={text.noDraft} text={text.noDraftText} action={write(text.startDraft)} />
        )}
      </Panel>
      {opened === 'publish' && draft && <PublishDialog {...{ draft, onClose, onHeld }} />}
      {opened === 'withdraw' && <WithdrawDialog {...{ onClose, onHeld }} />}
    </div>
  )
}

function Sentences({ version }: { version: Version }): ReactElement {
  const nameOfPerson = usePeople()
  return (
    <div className={styles.sentences}>
      <p className={ui.muted}>
        {text.versionOf(version.version)} · {nameOfPerson(version.published_by ?? version.created_by)} ·{' '}
        <Moment at={version.published_at ?? version.created_at} />
      </p>
      {version.note !== null && <p>{version.note}</p>}
      <ol>
        {version.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </div>
  )
}

function WithdrawDialog({
  onClose,
  onHeld,
}: Pick<OverviewProps, 'onHeld'> & { onClose: () => void }): ReactElement {
  const refresh = useRefresh()
  return (
    <FormDialog
      title={text.withdrawTitle}
      text={text.withdrawText}
      submitLabel={text.withdraw}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const answer = await api.routingPolicies.withdraw({}, { idempotencyKey })
        if ('request_id' in answer) onHeld(answer)
        else showToast(text.withdrawn)
        await refresh()
      }}
    />
  )
}
