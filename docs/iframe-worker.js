// The site's search runs in a worker, and browsers start none for a page that
// was opened from a folder: there a hidden frame does the worker's part. The
// theme's search looks for this name.
if (location.protocol === 'file:') {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      const page = this.inside.document;
      page.open();
      this.inside.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent('message', { data }));
      this.ready = new Promise((resolve) => {
        const script = page.createElement('script');
        script.src = url;
        script.onload = resolve;
        page.write('<body></body>');
        page.body.append(script);
      });
      page.close();
    }

    postMessage(data) {
      this.ready.then(() =>
        this.inside.dispatchEvent(
          new this.inside.MessageEvent('message', { data })
        )
      );
    }
  };
  window.Worker = window.IFrameWorker;
}
