import type { Language } from './rules.ts'
import { hello, type NoticeText } from './write-greeting.ts'

export const paymentReview: Record<Language, NoticeText> = {
  en: ({ firstName = '', amount = '', reference = '' }) => ({
    subject: `A payment of ${amount} is waiting for your approval`,
    greeting: hello.en(firstName),
    paragraphs: [
      `the payment ${reference} of ${amount} needs the approval of a second person.`,
      'Check the recipient and the amount before you approve it. If you do not know the payment, reject it.',
    ],
  }),
  fr: ({ firstName = '', amount = '', reference = '' }) => ({
    subject: `Un paiement de ${amount} attend votre approbation`,
    greeting: hello.fr(firstName),
    paragraphs: [
      `le paiement ${reference} de ${amount} doit être approuvé par une deuxième personne.`,
      'Vérifiez le bénéficiaire et le montant avant de l’approuver. Si vous ne connaissez pas ce paiement, rejetez-le.',
    ],
  }),
  pt: ({ firstName = '', amount = '', reference = '' }) => ({
    subject: `Um pagamento de ${amount} aguarda a sua aprovação`,
    greeting: hello.pt(firstName),
    paragraphs: [
      `o pagamento ${reference} de ${amount} precisa da aprovação de uma segunda pessoa.`,
      'Verifique o beneficiário e o montante antes de o aprovar. Se não conhece este pagamento, rejeite-o.',
    ],
  }),
}

export const refundReview: Record<Language, NoticeText> = {
  en: ({ firstName = '', amount = '', reference = '' }) => ({
    subject: `A refund of ${amount} is waiting for your approval`,
    greeting: hello.en(firstName),
    paragraphs: [
      `the refund ${reference} of ${amount} needs the approval of a second person.`,
      'Check the payment and the reason before you approve it. If you do not know the refund, reject it.',
    ],
  }),
  fr: ({ firstName = '', amount = '', reference = '' }) => ({
    subject: `Un remboursement de ${amount} attend votre approbation`,
    greeting: hello.fr(firstName),
    paragraphs: [
      `le remboursement ${reference} de ${amount} doit être approuvé par une deuxième personne.`,
      'Vérifiez le paiement et le motif avant de l’approuver. Si vous ne connaissez pas ce remboursement, rejetez-le.',
    ],
  }),
  pt: ({ firstName = '', amount = '', reference = '' }) => ({
    subject: `Um reembolso de ${amount} aguarda a sua aprovação`,
    greeting: hello.pt(firstName),
    paragraphs: [
      `o reembolso ${reference} de ${amount} precisa da aprovação de uma segunda pessoa.`,
      'Verifique o pagamento e o motivo antes de o aprovar. Se não conhece este reembolso, rejeite-o.',
    ],
  }),
}

export const changeRequested: Record<Language, NoticeText> = {
  en: ({ firstName = '', summary = '', requestId = '' }) => ({
    subject: 'A change is waiting for your approval',
    greeting: hello.en(firstName),
    paragraphs: [
      `another member asks for this change: ${summary}`,
      `It takes effect only if you approve the request ${requestId} within 72 hours. If you do not expect it, reject it.`,
    ],
  }),
  fr: ({ firstName = '', summary = '', requestId = '' }) => ({
    subject: 'Une modification attend votre approbation',
    greeting: hello.fr(firstName),
    paragraphs: [
      `un autre membre demande cette modification : ${summary}`,
      `Elle ne prend effet que si vous approuvez la demande ${requestId} dans les 72 heures. Si vous ne l’attendiez pas, rejetez-la.`,
    ],
  }),
  pt: ({ firstName = '', summary = '', requestId = '' }) => ({
    subject: 'Uma alteração aguarda a sua aprovação',
    greeting: hello.pt(firstName),
    paragraphs: [
      `outro membro pede esta alteração: ${summary}`,
      `Só tem efeito se aprovar o pedido ${requestId} nas próximas 72 horas. Se não o esperava, rejeite-o.`,
    ],
  }),
}

export const batchReview: Record<Language, NoticeText> = {
  en: ({ firstName = '', rows = '', amount = '', reference = '' }) => ({
    subject: 'A batch of payouts is waiting for your approval',
    greeting: hello.en(firstName),
    paragraphs: [
      `the batch ${reference} of ${rows} payouts, ${amount} in total, needs the approval of a second person.`,
      'Check its rows before you approve it. If you do not know this batch, reject it.',
    ],
  }),
  fr: ({ firstName = '', rows = '', amount = '', reference = '' }) => ({
    subject: 'Un lot de virements attend votre approbation',
    greeting: hello.fr(firstName),
    paragraphs: [
      `le lot ${reference} de ${rows} virements, ${amount} au total, demande l’approbation d’une seconde personne.`,
      'Vérifiez ses lignes avant de l’approuver. Si vous ne connaissez pas ce lot, rejetez-le.',
    ],
  }),
  pt: ({ firstName = '', rows = '', amount = '', reference = '' }) => ({
    subject: 'Um lote de pagamentos aguarda a sua aprovação',
    greeting: hello.pt(firstName),
    paragraphs: [
      `o lote ${reference} de ${rows} pagamentos, ${amount} no total, precisa da aprovação de uma segunda pessoa.`,
      'Verifique as suas linhas antes de o aprovar. Se não conhece este lote, rejeite-o.',
    ],
  }),
}

export const disputeDue: Record<Language, NoticeText> = {
  en: ({ firstName = '', amount = '', dueBy = '', reference = '', disputeId = '' }) => ({
    subject: `A dispute of ${amount} must be answered by ${dueBy}`,
    greeting: hello.en(firstName),
    paragraphs: [
      `a payer disputes ${amount} of the payment ${reference}, and nobody has responded yet. The bank takes no response after ${dueBy}.`,
      `Submit evidence or accept the dispute ${disputeId}. Without a response it is lost.`,
    ],
  }),
  fr: ({ firstName = '', amount = '', dueBy = '', reference = '', disputeId = '' }) => ({
    subject: `Un litige de ${amount} attend une réponse avant le ${dueBy}`,
    greeting: hello.fr(firstName),
    paragraphs: [
      `un payeur conteste ${amount} du paiement ${reference}, et personne n’a encore répondu. La banque n’accepte plus de réponse après le ${dueBy}.`,
      `Soumettez des preuves ou acceptez le litige ${disputeId}. Sans réponse, il est perdu.`,
    ],
  }),
  pt: ({ firstName = '', amount = '', dueBy = '', reference = '', disputeId = '' }) => ({
    subject: `Uma contestação de ${amount} espera resposta até ${dueBy}`,
    greeting: hello.pt(firstName),
    paragraphs: [
      `um pagador contesta ${amount} do pagamento ${reference}, e ainda ninguém respondeu. O banco não aceita resposta depois de ${dueBy}.`,
      `Envie provas ou aceite a contestação ${disputeId}. Sem resposta, está perdida.`,
    ],
  }),
}
