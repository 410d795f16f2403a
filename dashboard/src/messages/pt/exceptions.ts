import type { Translated } from '../translated.ts'
import type { exceptionKinds as englishKinds, exceptions as englishExceptions } from '../en/exceptions.ts'

export const exceptions: Translated<typeof englishExceptions> = {
  title: 'Exceções',
  kind: 'Tipo',
  status: 'Estado',
  statuses: { open: 'Aberta', closed: 'Encerrada' },
  mine: 'Atribuída a',
  me: 'Mim',
  summary: 'O que se apurou',
  held: 'Retido',
  assignee: 'Atribuída a',
  nobody: 'ninguém',
  since: 'Assinalada',
  empty: 'Nenhuma exceção',
  emptyText: 'O que o serviço não deve decidir sozinho aparece aqui, por exemplo um pagamento incerto.',
}

/** What each kind is called, and what it means. */
export const exceptionKinds: Translated<typeof englishKinds> = {
  outcome_unknown: {
    name: 'Resultado desconhecido',
    meaning:
      'O prestador pode ou não ter executado o pagamento. Não é enviado de novo nem considerado falhado.',
  },
  pending_too_long: {
    name: 'Pendente há demasiado tempo',
    meaning: 'O prestador tem o pagamento e há uma semana que não diz o que lhe aconteceu.',
  },
  late_success: {
    name: 'Sucesso tardio',
    meaning: 'Um pagamento que tinha falhado foi afinal pago e está agora concluído.',
  },
  reversed_after_completion: {
    name: 'Estornado após conclusão',
    meaning: 'O prestador anulou um pagamento que tinha comunicado como concluído.',
  },
  payin_reversed: {
    name: 'Recebimento estornado',
    meaning: 'O dinheiro voltou para o pagador e o seu saldo foi debitado.',
  },
  payout_returned: {
    name: 'Pagamento de saída devolvido',
    meaning: 'O banco do destinatário devolveu um pagamento de saída.',
  },
  returned_to_account: {
    name: 'Devolvido à conta',
    meaning: 'Um levantamento voltou e foi creditado na sua conta virtual.',
  },
  money_after_end: {
    name: 'Dinheiro após o fim',
    meaning: 'Chegou dinheiro para um pagamento que já tinha terminado.',
  },
  amount_differs: {
    name: 'Valor diferente',
    meaning: 'O prestador comunica um valor diferente do do pagamento.',
  },
  resolution_contradicted: {
    name: 'Decisão contrariada',
    meaning: 'O prestador contraria o que duas pessoas decidiram sobre um pagamento.',
  },
  refund_unknown: {
    name: 'Reembolso incerto',
    meaning: 'Ninguém sabe se o reembolso foi executado.',
  },
  refund_elsewhere: {
    name: 'Reembolso feito noutro lugar',
    meaning: 'Um reembolso foi feito diretamente no prestador.',
  },
  refund_unmatched: {
    name: 'Reembolso sem correspondência',
    meaning: 'O prestador comunica um reembolso que não corresponde a nenhum dos nossos.',
  },
  refund_exceeds_payment: {
    name: 'Reembolso superior ao pagamento',
    meaning: 'No prestador foi reembolsado mais do que o valor do pagamento.',
  },
  refund_after_failure: {
    name: 'Reembolso após falha',
    meaning: 'Um reembolso que tinha falhado foi afinal executado.',
  },
  refund_reversed: { name: 'Reembolso estornado', meaning: 'Um reembolso concluído voltou.' },
  negative_balance: { name: 'Saldo negativo', meaning: 'O saldo está abaixo do seu limite.' },
  dispute_of_unpaid: {
    name: 'Disputa de um pagamento não pago',
    meaning: 'Um pagador contesta um pagamento que aqui não está concluído.',
  },
  dispute_of_ramp: { name: 'Disputa de uma rampa', meaning: 'Um pagador contesta o pagamento de uma rampa.' },
  dispute_contradicted: {
    name: 'Disputa contraditória',
    meaning: 'As mensagens sobre uma disputa não são coerentes entre si.',
  },
  dispute_currency: {
    name: 'Disputa noutra moeda',
    meaning: 'Uma disputa movimentou dinheiro noutra moeda.',
  },
  dispute_exceeds_payment: {
    name: 'Disputa superior ao pagamento',
    meaning: 'Uma disputa e reembolsos devolveram juntos mais do que foi pago.',
  },
  dispute_of_refunded: {
    name: 'Disputa de um pagamento reembolsado',
    meaning: 'Um pagador contesta um pagamento já reembolsado: pode vir a receber duas vezes.',
  },
  dispute_action_unknown: {
    name: 'Resposta incerta',
    meaning: 'Ninguém sabe se o prestador tem a nossa resposta a uma disputa.',
  },
  ramp_underpaid: { name: 'Rampa paga a menos', meaning: 'Chegou menos do que a rampa exige.' },
  ramp_overpaid: { name: 'Rampa paga a mais', meaning: 'Chegou mais do que a rampa exige.' },
  ramp_paid_late: {
    name: 'Rampa paga com atraso',
    meaning: 'O dinheiro chegou depois de a rampa ter expirado.',
  },
  ramp_paid_again: { name: 'Rampa paga duas vezes', meaning: 'Uma rampa foi paga uma segunda vez.' },
  ramp_not_delivered: {
    name: 'Rampa não entregue',
    meaning: 'O dinheiro chegou e não pôde ser pago ao destinatário.',
  },
  ramp_unknown: { name: 'Rampa incerta', meaning: 'Ninguém sabe o que aconteceu a uma etapa da rampa.' },
  ramp_amount_differs: {
    name: 'Valor da rampa diferente',
    meaning: 'O prestador comunica um valor diferente do da etapa.',
  },
  ramp_reversed: { name: 'Rampa estornada', meaning: 'Uma etapa concluída da rampa foi anulada.' },
  ramp_money_after_end: {
    name: 'Dinheiro após o fim de uma rampa',
    meaning: 'Chegou dinheiro para uma rampa que já tinha terminado.',
  },
  change_control_off: {
    name: 'Controlo de alterações desativado',
    meaning: 'O único administrador de uma organização desativou a exigência de uma segunda pessoa.',
  },
  unknown_reference: {
    name: 'Referência desconhecida',
    meaning: 'Uma mensagem do prestador indica um pagamento que aqui não é conhecido.',
  },
  message_from_other_account: {
    name: 'Mensagem de outra conta',
    meaning: 'Uma conta enviou uma mensagem sobre um pagamento de outra conta.',
  },
  reconciliation_failed: {
    name: 'Reconciliação falhada',
    meaning: 'Não foi possível ler a lista de uma conta do prestador.',
  },
  reversal_missed: {
    name: 'Estorno não comunicado',
    meaning: 'A lista do prestador tem um estorno que não foi comunicado.',
  },
  refund_missed: {
    name: 'Reembolso não comunicado',
    meaning: 'A lista do prestador tem um reembolso que não foi comunicado.',
  },
  deposit_taken_back: {
    name: 'Depósito retirado',
    meaning: 'O prestador retirou um depósito já creditado numa conta virtual.',
  },
  deposit_missed: {
    name: 'Depósito não comunicado',
    meaning: 'A lista do prestador tem um depósito que não foi comunicado.',
  },
  missing_here: {
    name: 'Em falta aqui',
    meaning: 'A lista do prestador tem um pagamento que aqui não é conhecido.',
  },
  missing_there: {
    name: 'Em falta no prestador',
    meaning: 'Um pagamento nosso não está na lista do prestador.',
  },
  state_differs: {
    name: 'Estado diferente',
    meaning: 'A lista do prestador tem para um pagamento um estado diferente do nosso.',
  },
  escrow_payout_failed: {
    name: 'Pagamento de saída da garantia falhado',
    meaning: 'Não foi possível pagar a quota de um marco da conta de garantia.',
  },
  unmatched_deposit: {
    name: 'Depósito sem correspondência',
    meaning: 'Chegou dinheiro para o qual não há conta virtual. Fica retido até que uma pessoa decida.',
  },
}
