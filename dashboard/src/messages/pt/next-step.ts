import type { Translated } from '../translated.ts'
import type { nextStep as english } from '../en/next-step.ts'

/** What a payer has to do next, on the screen of a payment that was just started. */
export const nextStep: Translated<typeof english> = {
  titles: {
    redirect: 'O pagador continua noutra página',
    pay_by_link: 'O pagador continua noutra página',
    wait: 'O pagador confirma no seu telefone',
    bank_transfer: 'O pagador transfere o dinheiro',
    make_transfer: 'O cliente faz a transferência',
    collect_otp: 'O pagador recebeu um código de utilização única',
  },
  other: 'O que se segue',
  redirectText: 'Abra a página ou envie o seu endereço ao pagador.',
  open: 'Abrir a página',
  address: 'Endereço da página',
  waitText: 'Não há nada a fazer aqui. Esta página mostra o resultado assim que for conhecido.',
  transferText: 'Transmita estes dados tal como estão. O pagamento fica concluído quando o dinheiro chegar.',
  otpText: 'Peça-o ao pagador. É transmitido ao prestador e não é guardado.',
  otp: 'Código de utilização única',
  submitOtp: 'Submeter o código',
  resend: 'Enviá-lo de novo',
  resent: 'Um novo código está a caminho.',
  details: {
    account_name: 'Titular da conta',
    account_number: 'Número da conta',
    bank_name: 'Banco',
    bank_code: 'Código do banco',
    sort_code: 'Sort code',
    iban: 'IBAN',
    wallet_address: 'Endereço da carteira',
    network: 'Rede',
    memo: 'Memo',
    reference: 'Referência',
    amount: 'Valor',
    expires_at: 'Até',
  },
}
