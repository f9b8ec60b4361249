import MartletServer

Program.main()
