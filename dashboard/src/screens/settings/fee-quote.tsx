import { ApiError, type FeesQuoteQuery } from '@switchyard/sdk'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { feeSchedules } from '../../messages/generated/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FieldErrors, SelectField } from '../../ui/fields.tsx'
import { Failure } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form.module.css'
import { AmountField, CodeField } from '../../ui/money-fields.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { readForm, type ReadField } from '../../ui/read-form.ts'
import work from '../../ui/work.module.css'

const { quote: text, form } = feeSchedules

const readQuote = (field: ReadField): FeesQuoteQuery => ({
  direction: field('direction') === 'payout' ? 'payout' : 'payin',
  payment_method: field('payment_method') as FeesQuoteQuery['payment_method'], // an option of the field
  country: field('country').toUpperCase(),
  currency: field('currency').toUpperCase(),
  amount: field('amount'),
})

/** Quotes the fee that a payment of the caller's organisation would have. */
export function FeeQuote(): ReactElement {
  const quote = useMutation({ mutationFn: (query: FeesQuoteQuery) => api.fees.quote(query) })
  const details = quote.error instanceof ApiError ? quote.error.details : []
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    quote.mutate(readQuote(readForm(event)))
  }
  return (
    <Panel title={text.title}>
      <p className={parts.text}>{text.text}</p>
      <form onSubmit={submit} onChange={quote.reset}>
        <FieldErrors value={new Map(details.map(({ path, message }) => [path, message]))}>
          <div className={styles.fields}>
            <SelectField name="direction" label={text.direction} options={form.directions} />
            <SelectField name="payment_method" label={text.method} options={form.methods} />
            <CodeField name="country" label={text.country} length={2} />
            <CodeField name="currency" label={text.currency} length={3} />
            <AmountField name="amount" label={text.amount} />
          </div>
        </FieldErrors>
        <div className={work.decision} aria-live="polite">
          {quote.error && <Failure error={quote.error} />}
          <div>
            <Button type="submit" disabled={quote.isPending}>
              {text.submit}
            </Button>
          </div>
        </div>
        {quote.data && (
          <Facts
            facts={[
              {
                label: text.fee,
                value: <Money amount={quote.data.total_fees} currency={quote.data.currency} />,
              },
              { label: text.schedules, value: quote.data.fee_ids.length === 0 && text.none },
            ]}
          />
        )}
      </form>
    </Panel>
  )
}
