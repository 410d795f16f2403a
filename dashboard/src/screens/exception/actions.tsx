import type { ExceptionWithNotes } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { exception as text } from '../../messages/generated/texts.ts'
import { changeRequestPath } from '../../paths.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Panel } from '../../ui/page.tsx'
import work from '../../ui/work.module.css'
import { AssignDialog, CloseDialog, NoteDialog } from './case-dialogs.tsx'
import { AssignDepositDialog, ReleaseDialog, ReturnDepositDialog } from './money-dialogs.tsx'
import { AdjustDialog, AskDialog, ResolveDialog } from './outcome-dialogs.tsx'
import { suggests } from './suggestion.ts'

const dialogs = {
  ask: AskDialog,
  resolve: ResolveDialog,
  release: ReleaseDialog,
  assignDeposit: AssignDepositDialog,
  returnDeposit: ReturnDepositDialog,
  adjust: AdjustDialog,
  close: CloseDialog,
  note: NoteDialog,
  assign: AssignDialog,
} as const

type Action = keyof typeof dialogs

/** Offers only the actions that resolve this kind of exception. */
export function ActionsPanel({ exception }: { exception: ExceptionWithNotes }): ReactElement {
  const [chosen, setChosen] = useState<Action>()
  const proposal = useProposal(exception)
  const settling = useSettling(exception)
  const Dialog = chosen && dialogs[chosen]
  const reason = proposal === undefined ? undefined : text.hasProposal
  return (
    <Panel title={text.actions}>
      <div className={work.decision}>
        {proposal && (
          <Callout tone="wait" title={text.proposed}>
            <p>{proposal.summary}</p>
            <Link to={changeRequestPath(proposal.org_id, proposal.request_id)}>{text.openProposal}</Link>
          </Callout>
        )}
        {settling.map((action, index) => (
          <GuardedButton
            key={action}
            isPrimary={index === 0}
            reason={action === 'resolve' || action === 'adjust' ? reason : undefined}
            onClick={() => setChosen(action)}
          >
            {text[action].button}
          </GuardedButton>
        ))}
        <div className={work.row}>
          <Button onClick={() => setChosen('note')}>{text.note.button}</Button>
          <Button onClick={() => setChosen('assign')}>{text.assign.button}</Button>
        </div>
      </div>
      {Dialog && <Dialog exception={exception} onClose={() => setChosen(undefined)} />}
    </Panel>
  )
}

function useSettling({ suggested_action, payment_id, held }: ExceptionWithNotes): Action[] {
  const mayAsk = useMay('payments:write')
  const mayAdjust = useMay('ledger:write')
  const isFor = (call: string): boolean => suggests(suggested_action, call)
  const hasPayment = payment_id !== null
  const isDeposit = isFor('assign-deposit')
  const offered: readonly [Action, boolean][] = [
    ['ask', hasPayment && mayAsk && isFor('inquire')],
    ['resolve', hasPayment && isFor('resolve')],
    ['release', held !== null && !isDeposit],
    ['assignDeposit', isDeposit],
    ['returnDeposit', isDeposit],
    ['adjust', mayAdjust && isFor('adjustments')],
    ['close', held === null && !isDeposit],
  ]
  return offered.filter(([, isOffered]) => isOffered).map(([action]) => action)
}

/** A proposal about this payment or exception that is waiting for a second person. */
function useProposal({ exception_id, payment_id }: ExceptionWithNotes) {
  const { me } = useIdentity()
  const { data } = useQuery({
    queryKey: ['approvals', 'proposals', me.org_id],
    queryFn: async ({ signal }) =>
      (await api.changeRequests.list(me.org_id, { status: 'pending', limit: 100 }, { signal }).firstPage())
        .data,
    enabled: useMay('approval-policies:read'),
  })
  return data?.find(({ payload }) => {
    const ids = (payload ?? {}) as { exception_id?: unknown; payment_id?: unknown } // the payload has no fixed shape
    return ids.exception_id === exception_id || (payment_id !== null && ids.payment_id === payment_id)
  })
}
