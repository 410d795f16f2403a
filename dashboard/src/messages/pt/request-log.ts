import type { Translated } from '../translated.ts'
import type { requestLog as english } from '../en/request-log.ts'

export const requestLog: Translated<typeof english> = {
  title: 'Registo de pedidos',
  text: 'Os pedidos dos últimos sete dias. Os corpos e os valores nos endereços não são registados.',
  request: 'Pedido',
  method: 'Método',
  route: 'Caminho',
  status: 'Estado',
  statusClass: 'Resultado',
  statusClasses: {
    '2xx': '2xx Sucesso',
    '3xx': '3xx Redirecionamento',
    '4xx': '4xx Recusado',
    '5xx': '5xx Falhado',
  },
  requestId: 'Identificador do pedido',
  caller: 'Autor do pedido',
  key: 'Chave de API',
  duration: 'Duração',
  milliseconds: (ms: string) => `${ms} ms`,
  at: 'Hora',
  empty: 'Ainda não há pedidos',
  emptyText: 'Os pedidos da sua integração e das pessoas da sua organização aparecem aqui.',
  credentials: {
    api_key: 'chave de API',
    jwt: 'token de acesso',
    session: 'painel',
    payment_link: 'link de pagamento',
  },
}
