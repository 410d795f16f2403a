import type { Dispute } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { disputes as text } from '../../messages/generated/texts.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Callout } from '../../ui/callout.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Panel } from '../../ui/page.tsx'
import work from '../../ui/work.module.css'
import { EvidenceDialog } from './evidence-dialog.tsx'

const awaitsResponse = ({ state }: Dispute): boolean => state === 'warning' || state === 'needs_response'

/** Why no response is possible now. */
function reasonFor(dispute: Dispute): string | undefined {
  if (dispute.pending_action !== null) return text.busy
  if (awaitsResponse(dispute)) return undefined
  return dispute.state === 'under_review' ? text.bankHasIt : text.ended
}

type Answer = 'add' | 'submit' | 'accept'

export function ResponsePanel({ dispute }: { dispute: Dispute }): ReactElement {
  const [chosen, setChosen] = useState<Answer>()
  const reason = reasonFor(dispute)
  const hasEvidence = dispute.evidence.length > 0
  const button = (
    answer: Answer,
    more: { isPrimary?: boolean; reason?: string | undefined },
  ): ReactElement => (
    <GuardedButton reason={undefined} {...more} onClick={() => setChosen(answer)}>
      {text[answer].button}
    </GuardedButton>
  )
  return (
    <Panel title={text.response}>
      <div className={work.decision}>
        {dispute.pending_action !== null && (
          <Callout tone="wait" title={text.pending}>
            {text.pendingText}
          </Callout>
        )}
        {reason === undefined && button('add', { isPrimary: !hasEvidence })}
        {button('submit', { isPrimary: true, reason: reason ?? (hasEvidence ? undefined : text.addFirst) })}
        {reason === undefined && button('accept', {})}
      </div>
      {chosen && <AnswerDialog answer={chosen} dispute={dispute} onClose={() => setChosen(undefined)} />}
    </Panel>
  )
}

interface AnswerDialogProps {
  answer: Answer
  dispute: Dispute
  onClose: () => void
}

function AnswerDialog({ answer, dispute, onClose }: AnswerDialogProps): ReactElement {
  const client = useQueryClient()
  const done = async (): Promise<void> => {
    showToast(text[answer].done)
    await Promise.all(
      ['disputes', 'payment', 'waiting'].map((name) => client.invalidateQueries({ queryKey: [name] })),
    )
  }
  if (answer === 'add') return <EvidenceDialog dispute={dispute} onClose={onClose} onAdded={done} />
  return (
    <FormDialog
      title={text[answer].title}
      subject={`${answer} ${dispute.dispute_id}`}
      text={text[answer].text}
      submitLabel={text[answer].button}
      isDangerous={answer === 'accept'}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.disputes[answer](dispute.dispute_id, { idempotencyKey })
        await done()
      }}
    />
  )
}
