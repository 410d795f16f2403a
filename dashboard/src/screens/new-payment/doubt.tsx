import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { newPayment } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import work from '../../ui/work.module.css'

const { doubt: text } = newPayment

interface DoubtProps {
  reference: string | null | undefined
  onAgain: () => void
  onRestart: () => void
}

/** Shown while the outcome of the request is unknown. Sending it again makes the payment at most once. */
export const Doubt = ({ reference, onAgain, onRestart }: DoubtProps): ReactElement => {
  const query = reference ? `?${new URLSearchParams({ q: reference }).toString()}` : ''
  return (
    <Callout tone="wait" title={text.title} isAlert>
      <p>{text.text}</p>
      <div className={work.row}>
        <Link className={buttonClass(false)} to={`${paths.payments}${query}`}>
          {text.look}
        </Link>
        <Button onClick={onAgain}>{text.again}</Button>
        <Button onClick={onRestart}>{text.restart}</Button>
      </div>
    </Callout>
  )
}
