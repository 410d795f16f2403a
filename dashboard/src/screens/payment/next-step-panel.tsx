import type { PaymentRecord } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fragment, useRef, useState, type FormEvent, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { nextStep as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Failure } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form.module.css'
import { Panel } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { nextStepOf, type NextStep } from './next-step.ts'
import { paymentKey } from './use-payment.ts'

/** What the payer has to do now, shown to the person who started the payment until the payer has done it. */
export function NextStepPanel({ record, first }: { record: PaymentRecord; first: NextStep }): ReactElement {
  const [step, setStep] = useState(first)
  const mayWrite = useMay('payments:write')
  return (
    <Panel title={step.action in text.titles ? nameOf(text.titles, step.action) : text.other}>
      {step.message !== '' && <p className={work.prose}>{step.message}</p>}
      {step.action === 'collect_otp' && mayWrite && <OtpForm record={record} onAnswer={setStep} />}
      {step.action === 'wait' && <p className={`${work.prose} ${ui.muted}`}>{text.waitText}</p>}
      {step.url !== '' && <PageLink url={step.url} />}
      {step.details.length > 0 && <Transfer step={step} />}
    </Panel>
  )
}

const PageLink = ({ url }: { url: string }): ReactElement => (
  <div className={work.decision}>
    <p className={ui.muted}>{text.redirectText}</p>
    <div className={work.row}>
      <a className={buttonClass(true)} href={url} target="_blank" rel="noreferrer">
        {text.open}
      </a>
      <CopyButton text={url} label={text.address} />
    </div>
  </div>
)

const Transfer = ({ step }: { step: NextStep }): ReactElement => (
  <>
    <p className={`${work.prose} ${ui.muted}`}>{text.transferText}</p>
    <dl className={styles.pairs}>
      {step.details.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{nameOf(text.details, name)}</dt>
          <dd>
            <span className={name === 'wallet_address' ? undefined : ui.number}>{value}</span>
            {name !== 'expires_at' && <CopyButton text={value} label={nameOf(text.details, name)} />}
          </dd>
        </Fragment>
      ))}
    </dl>
  </>
)

/** A password can be used once, so each submission has its own idempotency key. */
function OtpForm({
  record: { payment_id: paymentId },
  onAnswer,
}: {
  record: PaymentRecord
  onAnswer: (step: NextStep) => void
}): ReactElement {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: paymentKey(paymentId) })
  const submit = useMutation({
    mutationFn: (otp: string) => api.payments.act(paymentId, { action: 'submit_otp', otp }),
    onSuccess: (result) => {
      form.current?.reset()
      onAnswer(nextStepOf(result))
    },
    onSettled: refresh,
  })
  const resend = useMutation({
    mutationFn: () => api.payments.act(paymentId, { action: 'resend_otp' }),
    onSuccess: () => showToast(text.resent),
    onError: (error) => showToast(error.message),
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const otp = new FormData(event.currentTarget).get('otp')
    if (typeof otp === 'string') submit.mutate(otp.trim())
  }
  const isBusy = submit.isPending || resend.isPending
  return (
    <form ref={form} className={`${work.decision} ${styles.narrow}`} onSubmit={onSubmit}>
      <TextField
        name="otp"
        label={text.otp}
        hint={text.otpText}
        required
        maxLength={12}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {submit.error && <Failure error={submit.error} />}
      <div className={work.row}>
        <Button type="submit" isPrimary disabled={isBusy}>
          {text.submitOtp}
        </Button>
        <Button disabled={isBusy} onClick={() => resend.mutate()}>
          {text.resend}
        </Button>
      </div>
    </form>
  )
}
