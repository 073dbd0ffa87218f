import type { RequestListener } from 'node:http';
import type { Faults } from './faults.ts';

const slowMs = 150;

/** A server of which some requests fail. A request that hangs is answered once its client gives up. */
export function faultyListener(listener: RequestListener, faults: Faults): RequestListener {
  return (request, response) => {
    switch (faults.next()) {
      case undefined:
        return listener(request, response);
      case 'error':
        return void response.writeHead(503).end('Come back later.');
      case 'reset':
        return void request.socket.destroy();
      case 'cut':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
        return void response.write('{"skills":[', () => request.socket.destroy());
      case 'rubbish':
        return void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>Sign in</html>');
      case 'slow':
        return void setTimeout(() => listener(request, response), slowMs);
      case 'hang':
        return;
    }
  };
}
