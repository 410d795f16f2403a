import type { PaymentPreview } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { newPayment as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Callout } from '../../ui/callout.tsx'
import { Facts } from '../../ui/facts.tsx'
import styles from '../../ui/form.module.css'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import type { Plan } from './plan.ts'

interface PreviewPanelProps {
  plan: Plan
  onSend: () => void
}

/** The route, the fees and the approval that the payment would have. The button opens the confirmation. */
export const PreviewPanel = ({ plan, onSend }: PreviewPanelProps): ReactElement => {
  const { preview } = plan
  return (
    <Panel title={text.previewTitle}>
      <p className={`${work.lead} ${styles.total}`}>
        <Money amount={preview.amount} currency={preview.currency} />
      </p>
      {preview.problems.length > 0 && (
        <div className={styles.note}>
          <Callout tone="bad" title={text.problems} isAlert>
            <ul>
              {preview.problems.map(({ code, message }) => (
                <li key={`${code} ${message}`}>{message}</li>
              ))}
            </ul>
          </Callout>
        </div>
      )}
      <Terms plan={plan} />
      <Route preview={preview} />
      <div className={work.decision}>
        {preview.approval.is_needed && <Callout tone="wait" title={text.needsApproval} />}
        <GuardedButton isPrimary reason={preview.would_start ? undefined : text.cannotSend} onClick={onSend}>
          {nameOf(text.send, preview.direction)}
        </GuardedButton>
      </div>
    </Panel>
  )
}

const Terms = ({ plan: { preview, rate } }: { plan: Plan }): ReactElement => (
  <Facts
    facts={[
      {
        label: text.arrives,
        value: rate && <Money amount={preview.target_amount} currency={preview.target_currency} />,
      },
      { label: text.rate, value: rate && <span className={ui.number}>{rate.rate}</span> },
      { label: text.rateUntil, value: rate?.expires_at && <Moment at={rate.expires_at} isExact /> },
      {
        label: text.fees,
        value:
          preview.total_fees === null || preview.fees_currency === null ? (
            text.noFees
          ) : (
            <Money amount={preview.total_fees} currency={preview.fees_currency} />
          ),
      },
      {
        label: text.balance,
        value: preview.balance && (
          <Money amount={preview.balance.required} currency={preview.balance.currency} />
        ),
      },
      {
        label: text.spendable,
        value: preview.balance && (
          <>
            <Money amount={preview.balance.spendable} currency={preview.balance.currency} />
            {!preview.balance.is_covered && <div className={ui.fieldError}>{text.short}</div>}
          </>
        ),
      },
      {
        label: text.approval,
        value: preview.approval.is_needed ? preview.approval.reason : text.noApproval,
      },
    ]}
  />
)

/** The providers in the order in which they would be tried, and why the others are skipped. */
const Route = ({ preview: { candidates, considered } }: { preview: PaymentPreview }): ReactElement => (
  <>
    <h3 className={styles.subtitle}>{text.route}</h3>
    {candidates.length === 0 && <p className={`${styles.note} ${ui.muted}`}>{text.noRoute}</p>}
    <ol className={styles.route}>
      {candidates.map(({ config_id, provider }, index) => (
        <li key={config_id}>
          {nameOf(terms.provider, provider)}
          <span className={ui.muted}>{index === 0 ? text.first : text.fallback}</span>
        </li>
      ))}
      {considered
        .filter(({ taken }) => !taken)
        .map(({ config_id, provider, reason }) => (
          <li key={config_id} className={ui.muted}>
            {nameOf(terms.provider, provider)}
            <span>{reason}</span>
          </li>
        ))}
    </ol>
  </>
)
