import type { EscrowParty, Milestone } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { escrows } from '../../messages/generated/texts.ts'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import work from '../../ui/work.module.css'
import { ApproveDialog, ContractDialog, DisburseDialog, SplitDialog } from './milestone-dialogs.tsx'

const { milestones: text } = escrows

type OpenDialog = 'split' | 'contract' | 'approve' | 'disburse'

interface MilestoneActionsProps {
  milestone: Milestone
  parties: readonly EscrowParty[]
}

const openStatuses: readonly string[] = ['pending', 'submitted', 'approved']

/** The next step of the milestone, and its shares, which can be changed until the payment is ordered. */
export function MilestoneActions({ milestone, parties }: MilestoneActionsProps): ReactElement {
  const [opened, setOpened] = useState<OpenDialog>()
  const { status, label, funding_status: funding } = milestone
  const hasFailed = status === 'disbursing' && milestone.disbursements.some((one) => one.status === 'failed')
  const dialog = { milestone, onClose: () => setOpened(undefined) }
  return (
    <div className={work.decision}>
      <div className={work.row}>
        {openStatuses.includes(status) && (
          <GuardedButton
            aria-label={text.split.buttonOf(label)}
            reason={parties.length === 0 ? text.split.noParties : undefined}
            onClick={() => setOpened('split')}
          >
            {text.split.button}
          </GuardedButton>
        )}
        {status === 'pending' && (
          <GuardedButton
            isPrimary
            reason={undefined}
            aria-label={text.submit.buttonOf(label)}
            onClick={() => setOpened('contract')}
          >
            {text.submit.button}
          </GuardedButton>
        )}
        {status === 'submitted' && (
          <GuardedButton
            isPrimary
            reason={undefined}
            aria-label={text.approve.buttonOf(label)}
            onClick={() => setOpened('approve')}
          >
            {text.approve.button}
          </GuardedButton>
        )}
        {(status === 'approved' || hasFailed) && (
          <GuardedButton
            isPrimary
            aria-label={hasFailed ? text.disburse.againOf(label) : text.disburse.buttonOf(label)}
            reason={funding === 'funded' || hasFailed ? undefined : text.disburse.notFunded}
            onClick={() => setOpened('disburse')}
          >
            {hasFailed ? text.disburse.again : text.disburse.button}
          </GuardedButton>
        )}
      </div>
      {opened === 'split' && <SplitDialog {...dialog} parties={parties} />}
      {opened === 'contract' && <ContractDialog {...dialog} />}
      {opened === 'approve' && <ApproveDialog {...dialog} />}
      {opened === 'disburse' && <DisburseDialog {...dialog} />}
    </div>
  )
}
