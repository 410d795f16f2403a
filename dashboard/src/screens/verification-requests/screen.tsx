import type { VerificationRequest } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { usePeople } from '../../api/use-people.ts'
import { verificationRequests as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Filters, TextFilter } from '../../ui/filters.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { CreateDialog } from './create-dialog.tsx'

type Answers = ReadonlyMap<string, string>

export function Screen(): ReactElement {
  const address = useListAddress(['transaction_id'])
  const result = useList('verification-requests', address, (query, options) =>
    api.verificationRequests.list(query, options),
  )
  const mayAsk = useMay('verifications:write')
  const mayReveal = useMay('verifications:read')
  const nameOfPerson = usePeople()
  const [opened, setOpened] = useState<'create' | VerificationRequest>()
  /** The revealed number is discarded when the person leaves the page. */
  const [answers, setAnswers] = useState<Answers>(new Map())
  const onClose = (): void => setOpened(undefined)
  const columns = [
    ...columnsWith(nameOfPerson),
    ...(mayReveal ? [answerColumn(answers, (request) => setOpened(request))] : []),
  ]
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columns}
        keyOf={({ request_id }) => request_id}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={
          mayAsk && (
            <Button isPrimary onClick={() => setOpened('create')}>
              {text.create}
            </Button>
          )
        }
        filters={
          <Filters address={address}>
            <TextFilter address={address} name="transaction_id" label={text.paymentId} />
          </Filters>
        }
      />
      {opened === 'create' && (
        <CreateDialog paymentId={address.filters['transaction_id'] ?? ''} onClose={onClose} />
      )}
      {opened !== undefined && opened !== 'create' && (
        <RevealDialog
          request={opened}
          onClose={onClose}
          onAnswer={(answer) => setAnswers(new Map([...answers, [opened.request_id, answer]]))}
        />
      )}
    </>
  )
}

const tones: Readonly<Record<string, Tone>> = { open: 'wait', answered: 'good' }

const columnsWith = (nameOfPerson: (userId: string) => string): readonly Column<VerificationRequest>[] => [
  { label: text.type, cell: ({ verification_type }) => nameOf(text.types, verification_type) },
  { label: text.target, cell: ({ target }) => nameOf(text.targets, target) },
  {
    label: text.status,
    cell: ({ status }) => <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />,
  },
  {
    label: text.mail,
    cell: ({ mail_status }) => (
      <span className={mail_status === 'failed' ? ui.fieldError : undefined}>
        {nameOf(text.mails, mail_status)}
      </span>
    ),
  },
  {
    label: text.payment,
    cell: ({ transaction_id }) => (
      <Link to={paymentPath(transaction_id)} data-row="" aria-label={text.openPaymentOf(transaction_id)}>
        {text.openPayment}
      </Link>
    ),
  },
  { label: text.requestedBy, cell: ({ requested_by }) => nameOfPerson(requested_by) },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]

const answerColumn = (
  answers: Answers,
  onReveal: (request: VerificationRequest) => void,
): Column<VerificationRequest> => ({
  label: text.answer,
  cell: (request) => {
    const { request_id: id, status, verification_type } = request
    const type = nameOf(text.types, verification_type)
    const answer = answers.get(id)
    if (answer !== undefined)
      return (
        <span className={work.row}>
          <span className={ui.number}>{answer}</span>
          <CopyButton text={answer} label={type} />
        </span>
      )
    return (
      status === 'answered' && (
        <Button
          className={ui.small}
          aria-label={text.reveal.buttonOf(type, id.slice(0, 8))}
          onClick={() => onReveal(request)}
        >
          {text.reveal.button}
        </Button>
      )
    )
  },
})

interface RevealDialogProps {
  request: VerificationRequest
  onAnswer: (answer: string) => void
  onClose: () => void
}

const RevealDialog = ({ request, onAnswer, onClose }: RevealDialogProps): ReactElement => (
  <FormDialog
    title={text.reveal.title}
    text={text.reveal.text}
    submitLabel={text.reveal.submit}
    onClose={onClose}
    onSubmit={async () => {
      const { answer } = await api.verificationRequests.get(request.request_id)
      onAnswer(answer ?? '')
    }}
  />
)
