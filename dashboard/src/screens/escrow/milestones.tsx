import type { Escrow, EscrowParty, Milestone } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { escrows } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { MilestoneActions } from './milestone-actions.tsx'
import { AddDialog } from './milestone-dialogs.tsx'
import { useMilestones, useParties } from './use-escrow.ts'

const { milestones: text } = escrows

/** Milestones are shown in the order in which they are funded. */
export function Milestones({ escrow }: { escrow: Escrow }): ReactElement {
  const mayAdd = useMay('escrow:write') && escrow.status === 'active'
  const { data, error, refetch } = useMilestones(escrow.escrow_id)
  const parties = useParties(escrow.escrow_id).data ?? []
  const [isAdding, setAdding] = useState(false)
  const add = mayAdd && <Button onClick={() => setAdding(true)}>{text.add}</Button>
  return (
    <div className={work.stack}>
      {error && (
        <Panel title={text.title}>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Panel>
      )}
      {!data && !error && <Skeleton lines={6} />}
      {data?.length === 0 && (
        <Panel title={text.title}>
          <EmptyState title={text.empty} text={text.emptyText} action={add} />
        </Panel>
      )}
      {data?.map((milestone) => (
        <MilestonePanel
          key={milestone.milestone_id}
          milestone={milestone}
          parties={parties}
          isActive={escrow.status === 'active'}
        />
      ))}
      {data && data.length > 0 && <div>{add}</div>}
      {isAdding && <AddDialog escrow={escrow} onClose={() => setAdding(false)} />}
    </div>
  )
}

const tones: Readonly<Record<string, Tone>> = {
  submitted: 'wait',
  approved: 'wait',
  disbursing: 'wait',
  disbursed: 'good',
}

interface MilestoneProps {
  milestone: Milestone
  parties: readonly EscrowParty[]
  isActive: boolean
}

const MilestonePanel = ({ milestone, parties, isActive }: MilestoneProps): ReactElement => {
  const mayWrite = useMay('escrow:write')
  const { currency, contract } = milestone
  return (
    <Panel
      title={`${milestone.sequence}. ${milestone.label}`}
      aside={
        <Badge tone={tones[milestone.status] ?? 'neutral'} text={nameOf(text.statuses, milestone.status)} />
      }
    >
      <p className={work.lead}>
        <Money amount={milestone.expected_disbursement} currency={currency} />
        <small>{nameOf(text.fundings, milestone.funding_status)}</small>
      </p>
      {milestone.description !== '' && <p className={work.prose}>{milestone.description}</p>}
      <Facts
        facts={[
          {
            label: text.covered,
            value: milestone.funding_status === 'partially_funded' && (
              <Money amount={milestone.covered_amount} currency={currency} />
            ),
          },
          { label: text.due, value: milestone.due_date },
          {
            label: text.contract,
            value:
              contract &&
              (contract.url === null ? (
                contract.reference
              ) : (
                <a href={contract.url} target="_blank" rel="noreferrer">
                  {contract.reference}
                </a>
              )),
          },
        ]}
      />
      <Shares milestone={milestone} parties={parties} />
      {mayWrite && isActive && <MilestoneActions milestone={milestone} parties={parties} />}
    </Panel>
  )
}

const shareTones: Readonly<Record<string, Tone>> = { processing: 'wait', paid: 'good', failed: 'bad' }

/** The agreed shares and, once paid, what each party received. */
const Shares = ({ milestone, parties }: Omit<MilestoneProps, 'isActive'>): ReactElement => {
  const nameOfParty = (partyId: string): string =>
    parties.find(({ party_id }) => party_id === partyId)?.name ?? partyId.slice(0, 8)
  const { currency, disbursements } = milestone
  if (milestone.parties.length === 0) return <p className={`${work.prose} ${ui.muted}`}>{text.noShares}</p>
  return (
    <ul className={work.steps} aria-label={text.shares}>
      {disbursements.length === 0
        ? milestone.parties.map(({ party_id, split_type, split_value }) => (
            <li key={party_id}>
              <span className={work.row}>
                {nameOfParty(party_id)}
                {split_type === 'fixed' ? (
                  <Money amount={split_value} currency={currency} />
                ) : (
                  <span className={ui.number}>{split_value} %</span>
                )}
              </span>
            </li>
          ))
        : disbursements.map(({ party_id, amount, status, transaction_id, failure }) => (
            <li key={party_id}>
              <span className={work.row}>
                {nameOfParty(party_id)}
                <Money amount={amount} currency={currency} />
                <Badge tone={shareTones[status] ?? 'neutral'} text={nameOf(text.shareStatuses, status)} />
                {parties.some((party) => party.party_id === party_id && party.beneficiary_id !== null) &&
                  transaction_id !== '' && (
                    <Link
                      to={paymentPath(transaction_id)}
                      aria-label={`${text.payment}: ${nameOfParty(party_id)}`}
                    >
                      {text.payment}
                    </Link>
                  )}
              </span>
              {failure && <span className={ui.fieldError}>{failure.message}</span>}
            </li>
          ))}
    </ul>
  )
}
