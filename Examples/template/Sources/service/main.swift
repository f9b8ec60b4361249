import Martlet

makeService(path: "service.db").run()
