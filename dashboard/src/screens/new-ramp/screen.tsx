import { ApiError, type ExchangeRate, type RampsInitiateBody } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link, useNavigate } from 'react-router'
import { api } from '../../api/client.ts'
import { newPayment, newRamp as text } from '../../messages/generated/texts.ts'
import { paths, paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { multiply, truncate } from '../../ui/decimal.ts'
import { Facts } from '../../ui/facts.tsx'
import { FieldErrors } from '../../ui/fields.tsx'
import { Failure, FormDialog } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form.module.css'
import { formatMoney } from '../../ui/format.ts'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Forbidden, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { useSubmission } from '../../ui/use-submission.ts'
import work from '../../ui/work.module.css'
import { Doubt } from '../new-payment/doubt.tsx'
import { nextStepOfRamp } from '../payment/next-step.ts'
import { RampForm } from './ramp-form.tsx'
import type { RampDraft } from './read-ramp.ts'

/** The quoted request, which is sent unchanged. */
interface RampQuote {
  typed: RampDraft
  rate: ExchangeRate
}

/** The rate applies to what the customer pays: money for an on-ramp, crypto for an off-ramp. */
async function quote(typed: RampDraft): Promise<RampQuote> {
  const [fiat, crypto] = [typed.fiat_currency, typed.crypto_currency]
  const rate = await api.rates.get(
    typed.direction === 'on_ramp'
      ? { fromCurrency: fiat, toCurrency: crypto }
      : { fromCurrency: crypto, toCurrency: fiat },
  )
  return { typed, rate }
}

export function Screen(): ReactElement {
  const mayWrite = useMay('payments:write')
  const [formNumber, setFormNumber] = useState(1)
  return (
    <Page
      title={text.title}
      aside={
        <Link className={buttonClass(false)} to={paths.payments}>
          {newPayment.all}
        </Link>
      }
    >
      {mayWrite ? (
        <NewRamp key={formNumber} onRestart={() => setFormNumber(formNumber + 1)} />
      ) : (
        <Forbidden permission="payments:write" />
      )}
    </Page>
  )
}

function NewRamp({ onRestart }: { onRestart: () => void }): ReactElement {
  const [isConfirming, setConfirming] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const { doubt, send } = useSubmission()
  const quoted = useMutation({ mutationFn: quote })
  const error = quoted.error ?? refusal
  const details = error instanceof ApiError ? error.details : []
  const forget = (): void => {
    quoted.reset()
    setRefusal(undefined)
  }
  return (
    <div className={work.split}>
      <FieldErrors value={new Map(details.map(({ path, message }) => [path, message]))}>
        <RampForm
          isLocked={doubt !== undefined || quoted.isPending}
          hasQuote={quoted.data !== undefined}
          onChange={forget}
          onQuote={(typed) => quoted.mutate(typed)}
        />
      </FieldErrors>
      <div className={`${work.stack} ${styles.sticky}`} aria-live="polite">
        {doubt && (
          <Doubt
            reference={quoted.data?.typed.client_reference}
            onAgain={() => setConfirming(true)}
            onRestart={onRestart}
          />
        )}
        {quoted.isPending && <Skeleton lines={4} />}
        {quoted.error && <Failure error={quoted.error} />}
        {quoted.isIdle && (
          <Panel title={text.quoteTitle}>
            <p className={`${work.prose} ${ui.muted}`}>{text.quoteEmpty}</p>
          </Panel>
        )}
        {quoted.data && <QuotePanel quoted={quoted.data} onSend={() => setConfirming(true)} />}
      </div>
      {isConfirming && quoted.data && (
        <SendDialog
          quoted={quoted.data}
          send={send}
          onRefused={setRefusal}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  )
}

const shownDecimals = 6

/** The amount of crypto is approximate until the server has computed it. */
const cryptoOf = ({ typed, rate }: RampQuote): string =>
  truncate(
    multiply(typed.fiat_amount, typed.direction === 'on_ramp' ? rate.rate : rate.inverse_rate),
    shownDecimals,
  )

function QuotePanel({ quoted, onSend }: { quoted: RampQuote; onSend: () => void }): ReactElement {
  const { typed, rate } = quoted
  const fiat = <Money amount={typed.fiat_amount} currency={typed.fiat_currency} />
  const crypto = (
    <>
      <span className={ui.muted}>{text.about}</span>{' '}
      <Money amount={cryptoOf(quoted)} currency={typed.crypto_currency} />
    </>
  )
  const isOn = typed.direction === 'on_ramp'
  return (
    <Panel title={text.quoteTitle}>
      <Facts
        facts={[
          { label: text.pays, value: isOn ? fiat : crypto },
          { label: text.receives, value: isOn ? crypto : fiat },
          { label: newPayment.rate, value: <span className={ui.number}>{rate.rate}</span> },
          { label: newPayment.rateUntil, value: rate.expires_at && <Moment at={rate.expires_at} isExact /> },
        ]}
      />
      <div className={work.decision}>
        <p className={ui.muted}>{text.rateText}</p>
        <Button isPrimary onClick={onSend}>
          {text.send}
        </Button>
      </div>
    </Panel>
  )
}

interface SendDialogProps {
  quoted: RampQuote
  send: ReturnType<typeof useSubmission>['send']
  /** The server's errors are shown at the fields of the form. */
  onRefused: (error: unknown) => void
  onClose: () => void
}

function SendDialog({ quoted: { typed, rate }, send, onRefused, onClose }: SendDialogProps): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  const amount = formatMoney(typed.fiat_amount, typed.fiat_currency)
  const body: RampsInitiateBody = { ...typed, client_rate: rate.rate }
  return (
    <FormDialog
      title={text.confirm[typed.direction](amount, typed.crypto_currency)}
      text={text.confirm[`${typed.direction}Text`]}
      submitLabel={text.send}
      onClose={onClose}
      onSubmit={async () => {
        const started = await send((idempotencyKey) => api.ramps.initiate(body, { idempotencyKey })).catch(
          (error: unknown) => {
            onRefused(error)
            throw error
          },
        )
        showToast(text.started)
        await client.invalidateQueries({ queryKey: ['payments'] })
        await navigate(paymentPath(started.payment_id), { state: { nextStep: nextStepOfRamp(started) } })
      }}
    />
  )
}
